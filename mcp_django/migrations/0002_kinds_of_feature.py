from django.db import migrations, models


class Migration(migrations.Migration):
    """The catalog has no table, so nothing happens in the database."""

    dependencies = [("mcp_django", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="feature",
            name="uri",
            field=models.CharField(blank=True, max_length=2048, verbose_name="URI"),
        ),
        migrations.AlterField(
            model_name="feature",
            name="kind",
            field=models.CharField(
                choices=[
                    ("tool", "Tool"),
                    ("resource", "Resource"),
                    ("resource_template", "Resource template"),
                    ("prompt", "Prompt"),
                ],
                max_length=32,
                verbose_name="kind",
            ),
        ),
    ]
