from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Feature",
            fields=[
                (
                    "key",
                    models.CharField(
                        editable=False, max_length=255, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=128, verbose_name="name")),
                ("title", models.CharField(blank=True, max_length=255, verbose_name="title")),
                ("description", models.TextField(blank=True, verbose_name="description")),
                (
                    "kind",
                    models.CharField(
                        choices=[("tool", "Tool")], max_length=16, verbose_name="kind"
                    ),
                ),
                ("app", models.CharField(blank=True, max_length=255, verbose_name="app")),
                ("server", models.CharField(max_length=255, verbose_name="server")),
                ("tags", models.CharField(blank=True, max_length=255, verbose_name="tags")),
                ("source", models.CharField(max_length=1024, verbose_name="source")),
            ],
            options={
                "verbose_name": "MCP feature",
                "verbose_name_plural": "MCP features",
                "ordering": ("app", "name", "key"),
                "managed": False,
                "default_permissions": ("view",),
            },
        ),
    ]
