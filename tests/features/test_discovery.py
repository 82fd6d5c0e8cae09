"""Start-up: what is found, in which order, and what stops it with which words."""

from __future__ import annotations

import logging
import re
import sys
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import override_settings

from mcp_django.features import registry as registries
from tests.features.conftest import Project

TOOL = """
    from mcp_django import tool

    @tool
    def {0}() -> str:
        "A tool."
        return "{0}"
"""


def test_a_module_in_an_app(project: Project, caplog: pytest.LogCaptureFixture) -> None:
    file = project.write("shop/mcp_tools.py", TOOL.format("sell"))
    with caplog.at_level(logging.INFO, "mcp_django"):
        assert project.start("shop") == ["sell"]
    assert caplog.messages == [
        f"MCP server default: tool sell from {file}:4: sell",
        "MCP server default: 1 tool.",
    ]


def test_apps_without_tools_are_fine(project: Project) -> None:
    project.write("shop/models.py")
    assert project.start("shop") == []


def test_the_app_of_a_tool_is_known(project: Project) -> None:
    project.write("store/shop/mcp_tools.py", TOOL.format("sell"))
    project.write("outside.py", TOOL.format("other"))
    project.start("store.shop", modules=("outside",))
    tools = registries.default.tools
    assert (tools["sell"].app_label, tools["other"].app_label) == ("shop", "")


def test_a_package_with_submodules_in_alphabetical_order(project: Project) -> None:
    project.write("shop/mcp_tools/__init__.py", TOOL.format("first"))
    project.write("shop/mcp_tools/zebra.py", TOOL.format("zebra"))
    project.write("shop/mcp_tools/ant/__init__.py", TOOL.format("ant"))
    project.write("shop/mcp_tools/ant/worker.py", TOOL.format("worker"))
    project.write("shop/mcp_tools/bee.py", TOOL.format("bee"))
    project.write("shop/mcp_tools/__main__.py", "raise SystemExit(1)")
    assert project.start("shop") == ["first", "ant", "worker", "bee", "zebra"]


def test_a_package_that_imports_its_submodules_in_another_order(project: Project) -> None:
    project.write("shop/mcp_tools/__init__.py", "from shop.mcp_tools import zebra, ant  # noqa")
    project.write("shop/mcp_tools/ant.py", TOOL.format("ant"))
    project.write("shop/mcp_tools/zebra.py", TOOL.format("zebra"))
    assert project.start("shop") == ["ant", "zebra"]


def test_the_order_is_that_of_the_apps_whoever_imports_whom(project: Project) -> None:
    project.write("shop/mcp_tools.py", "\n    import cellar.mcp_tools" + TOOL.format("sell"))
    project.write("shop/more.py", TOOL.format("more"))
    project.write("shop/late.py", TOOL.format("late"))
    project.write("cellar/mcp_tools.py", "\n    import shop.late" + TOOL.format("store"))
    project.write("outside.py", TOOL.format("outside"))
    found = project.start("shop", "cellar", modules=("outside", "shop.more"))
    assert found == ["sell", "late", "store", "outside", "more"]


def test_a_module_that_is_named_twice_is_imported_once(project: Project) -> None:
    project.write("shop/mcp_tools.py", TOOL.format("sell"))
    assert project.start("shop", modules=("shop.mcp_tools",)) == ["sell"]


def test_starting_again_finds_the_same(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        TOOL.format("sell")
        + """
    from mcp_django import Tool, Toolset

    class Buy(Tool):
        def call(self) -> None: ...

    class Shelf(Toolset):
        @tool
        def fill(self) -> None: ...
    """,
    )
    assert project.start("shop") == ["sell", "buy", "shelf.fill"]
    record = registries.default.tools["buy"]
    assert project.start("shop") == ["sell", "buy", "shelf.fill"]
    assert registries.default.tools["buy"] is record


CLASSES = """
    from mcp_django import Tool, Toolset, tool
    from elsewhere import Imported, Base

    class Hidden(Tool):
        "Not a tool: it has no call()."

    class Abstract(Base):
        abstract = True

    class {0}(Abstract):
        name = "{0}"
        def call(self) -> None: ...

    Alias = {0}

    class Derived(Imported):
        pass

    def make():
        class Local(Tool):
            def call(self) -> None: ...
        return Local

    make()
    Kept = make()
"""


def test_concrete_classes_that_the_module_defines_are_published(project: Project) -> None:
    project.write(
        "elsewhere.py",
        """
        from mcp_django import Tool

        class Base(Tool):
            def call(self) -> None: ...

        class Imported(Tool):
            def call(self) -> None: ...
        """,
    )
    project.write("shop/mcp_tools.py", CLASSES.format("zap"))
    assert project.start("shop") == ["zap", "derived", "local"]


def test_an_instance_in_place_of_a_class_that_needs_arguments(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from mcp_django import Tool, Toolset, server, tool

        class Weather(Toolset):
            def __init__(self, city: str) -> None:
                self.city = city

            @tool
            def forecast(self) -> str:
                return self.city

        server.register(Weather("Oslo"))
        """,
    )
    assert project.start("shop") == ["weather.forecast"]
    assert registries.default.tools["weather.forecast"].handler() == "Oslo"


def test_a_module_of_the_setting_that_does_not_exist(project: Project) -> None:
    project.write("shop/models.py")
    assert project.refuses("shop", modules=("shop.mcp_tools",)) == (
        "MCP_DJANGO[\"MODULES\"] names 'shop.mcp_tools', which does not exist. "
        "Correct the path, or leave it out."
    )
    assert "'nowhere.at_all', which does not exist" in project.refuses(modules=("nowhere.at_all",))
    assert "'shop.models.x', which does not exist" in project.refuses(modules=("shop.models.x",))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "import os\nimport nowhere\n",
            "…/shop/mcp_tools.py:2: shop.mcp_tools: It cannot be imported: ModuleNotFoundError: No "
            "module named 'nowhere'. Correct the import.",
        ),
        (
            "from os import nothing\n",
            "…/shop/mcp_tools.py:1: shop.mcp_tools: It cannot be imported: ImportError: cannot "
            "import name 'nothing' from 'os' ",
        ),
        (
            "def make():\n    return 1 / 0\n\nmake()\n",
            "…/shop/mcp_tools.py:2: make: It cannot be imported: ZeroDivisionError: division by "
            "zero. Mend what this line does.",
        ),
        (
            "numbers = [int(text) for text in 'ab']\n",
            "…/shop/mcp_tools.py:1: shop.mcp_tools: It cannot be imported: ValueError: invalid "
            "literal for int() with base 10: 'a'. Mend what this line does.",
        ),
        (
            "x = 1\ndef broken(:\n",
            "…/shop/mcp_tools.py:2: shop.mcp_tools: It cannot be imported: SyntaxError: invalid "
            "syntax",
        ),
        (
            "from mcp_django import tool\n\n@tool(nmae='x')\ndef f() -> None: ...\n",
            "…/shop/mcp_tools.py:3: f: @tool has no option 'nmae'. Did you mean 'name'?",
        ),
        (
            "from mcp_django import Toolset, tool\n\nclass Shelf(Toolset):\n    @tool\n"
            "    def a(self) -> None: ...\n\n    @tool(\n        nmae='x',\n    )\n"
            "    async def b(self) -> None: ...\n",
            "…/shop/mcp_tools.py:7: Shelf.b: @tool has no option 'nmae'. Did you mean 'name'?",
        ),
        (
            "from mcp_django import resource\n\n@resource\ndef hours() -> str: ...\n",
            "…/shop/mcp_tools.py:3: hours: @resource needs a URI. Write @resource(",
        ),
        (
            "from mcp_django import tool\n\nif True:\n    @tool(server='staff')\n"
            "    def f() -> None: ...\n",
            "…/shop/mcp_tools.py:4: f: server='staff' is no MCPServer. ",
        ),
        (
            "from mcp_django import tool\n\ndef f() -> None: ...\n\ntool(nmae='x')(f)\n",
            "…/shop/mcp_tools.py:5: shop.mcp_tools: @tool has no option 'nmae'. Did you mean 'name",
        ),
        (
            "from pathlib import Path\nfrom mcp_django import tool\n"
            "Path(__file__).write_text('def (')\n\n@tool(nmae='x')\ndef f() -> None: ...\n",
            "…/shop/mcp_tools.py:5: shop.mcp_tools: @tool has no option 'nmae'. Did you mean 'name",
        ),
        (
            "from django.contrib.auth.models import User\nADMINS = list(User.objects.all())\n",
            "…/shop/mcp_tools.py:2: shop.mcp_tools: It queries the database while it is imported (",
        ),
        (
            "from django.db import OperationalError\nraise OperationalError('no such table: x')\n",
            "…/shop/mcp_tools.py:2: shop.mcp_tools: It queries the database while it is imported "
            "(OperationalError: no such table: x). Query inside the function: at start-up the "
            "tables need not exist yet.",
        ),
        (
            "from django.core.exceptions import AppRegistryNotReady\n"
            "raise AppRegistryNotReady('Apps are not loaded yet.')\n",
            "…/shop/mcp_tools.py:2: shop.mcp_tools: It is imported before the apps are loaded "
            "(AppRegistryNotReady: Apps are not loaded yet). Import it neither in models.py nor in "
            "an __init__.py: it is found by itself.",
        ),
        (
            "from django.core.exceptions import ImproperlyConfigured\n"
            "raise ImproperlyConfigured('Set SHOP_KEY.')\n",
            "…/shop/mcp_tools.py:2: shop.mcp_tools: It cannot be imported: ImproperlyConfigured: "
            "Set SHOP_KEY. Mend what this line does.",
        ),
    ],
)
def test_a_module_that_cannot_be_imported(project: Project, source: str, message: str) -> None:
    project.write("shop/mcp_tools.py").write_text(source)
    refusal = project.refuses("shop")
    assert refusal.startswith(message)
    assert "shop.mcp_tools" not in sys.modules


def test_the_line_that_fails_may_stand_in_another_module(project: Project) -> None:
    project.write("shop/mcp_tools.py", "\nfrom shop import helper")
    project.write("shop/helper.py", "\n\nnumber = int('x')")
    assert project.refuses("shop") == (
        "…/shop/helper.py:3: shop.mcp_tools: It cannot be imported: ValueError: invalid literal "
        "for int() with base 10: 'x'. Mend what this line does."
    )


def test_the_cause_is_chained(project: Project) -> None:
    project.write("shop/mcp_tools.py", "\nimport nowhere")
    with pytest.raises(ImproperlyConfigured) as caught:
        project.start("shop")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


def test_a_mistake_in_a_decorator_needs_no_traceback(project: Project) -> None:
    project.write("shop/mcp_tools.py", "from mcp_django import tool\ntool(nmae='x')\n")
    with pytest.raises(ImproperlyConfigured) as caught:
        project.start("shop")
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)


QUERIES = [
    "with connection.cursor() as cursor:\n    cursor.execute('SELECT  1')\n",
    "try:\n    connection.cursor().execute('SELECT 1')\nexcept Exception:\n    pass\n",
    "try:\n    connection.cursor().execute('SELECT 1')\nexcept Exception as error:\n"
    "    raise ValueError from error\n",
]


@pytest.mark.django_db
@pytest.mark.parametrize("source", QUERIES)
def test_a_query_is_refused_whatever_the_database_holds(project: Project, source: str) -> None:
    project.write("shop/mcp_tools.py").write_text("from django.db import connection\n" + source)
    assert re.sub(r"\d", "0", project.refuses("shop")).startswith(
        "…/shop/mcp_tools.py:0: shop.mcp_tools: It queries the database while it is imported ("
    )
    with connection.cursor() as cursor:  # afterwards it may be asked again
        assert cursor.execute("SELECT 1") is not None


@pytest.mark.django_db
def test_the_query_is_named(project: Project) -> None:
    source = "from tests.app.models import Book\nBOOKS = Book.objects.count()\n"
    project.write("shop/mcp_tools.py").write_text(source)
    assert project.refuses("shop") == (
        "…/shop/mcp_tools.py:2: shop.mcp_tools: It queries the database while it is imported "
        '(SELECT COUNT(*) AS "__count" FROM "app_book"). Query inside the function: at start-up '
        "the tables need not exist yet."
    )
    long = f"from django.db import connection\nconnection.cursor().execute('{'x' * 99}')\n"
    project.write("shop/mcp_tools.py").write_text(long)
    assert f"({'x' * 59}…)" in project.refuses("shop")


LATE = """
    from typing import Annotated
    from mcp_django import Inject, Tool, tool

    class Clock: ...

    def hour(clock: Clock) -> int: ...
"""
NOT_LAST = "mcp_django is not last in INSTALLED_APPS: what later apps provide() is not known yet."


@pytest.mark.parametrize(
    "source",
    [
        "@tool\ndef tell(clock: Clock) -> None: ...\n",
        "@tool\ndef tell(hour: Annotated[int, Inject(hour)]) -> None: ...\n",
        "@tool(input_schema={'type': 'object'})\ndef tell(clock: Clock) -> None: ...\n",
        "class Tell(Tool):\n    def setup(self): self.require(Clock)\n"
        "    def call(self) -> None: ...\n",
    ],
)
def test_what_a_later_app_may_provide(project: Project, source: str) -> None:
    file = project.write("shop/mcp_tools.py", LATE)
    file.write_text(file.read_text() + source)
    assert NOT_LAST not in project.refuses("shop")
    del sys.modules["shop.mcp_tools"]
    project.write("late/__init__.py")
    installed = ["django.contrib.auth", "django.contrib.contenttypes", "shop", "mcp_django", "late"]
    with (
        pytest.raises(ImproperlyConfigured) as caught,
        override_settings(INSTALLED_APPS=installed),
    ):
        pass
    assert str(caught.value).endswith(f" {NOT_LAST}")


def test_other_mistakes_have_nothing_to_do_with_later_apps(project: Project) -> None:
    source = "from mcp_django import tool\n@tool\ndef tell(x: bytes) -> None: ...\n"
    project.write("shop/mcp_tools.py").write_text(source)
    with (
        pytest.raises(ImproperlyConfigured) as caught,
        override_settings(INSTALLED_APPS=["shop", "mcp_django", "django.contrib.contenttypes"]),
    ):
        pass
    assert NOT_LAST not in str(caught.value)


def test_a_package_above_a_named_module_that_fails(project: Project) -> None:
    project.write("shop/__init__.py", "import nowhere")
    project.write("shop/tools.py")
    assert project.refuses(modules=("shop.tools",)) == (
        "…/shop/__init__.py:1: shop: It cannot be imported: ModuleNotFoundError: No module named "
        "'nowhere'. Correct the import."
    )


def test_a_package_above_a_named_module_that_is_broken(project: Project) -> None:
    project.write("shop/__init__.py", "number = 1 / 0")
    project.write("shop/tools.py")
    assert project.refuses(modules=("shop.tools",)) == (
        "…/shop/__init__.py:1: shop: It cannot be imported: ZeroDivisionError: division by zero. "
        "Mend what this line does."
    )


def test_what_register_refuses_in_a_module_says_where_by_itself(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from mcp_django import Tool, server

        class Till(Tool):
            abstract = True

        server.register(Till)
        """,
    )
    assert project.refuses("shop") == (
        "…/shop/mcp_tools.py:4: Till: Till is marked abstract = True. Register a class that can be "
        "called, or an instance of it."
    )


def test_a_decorated_class_is_published_once(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from mcp_django import Tool, tool

        @tool(name="till")
        class Till(Tool):
            def call(self) -> None: ...
        """,
    )
    assert project.start("shop") == ["till"]


def test_the_app_of_a_function_of_a_library(project: Project) -> None:
    project.write("library.py", "def shelf(number: int) -> int:\n    return number\n")
    project.write(
        "shop/mcp_tools.py", "import library\nfrom mcp_django import tool\ntool(library.shelf)\n"
    )
    project.write("cellar/mcp_tools.py", TOOL.format("store"))
    assert project.start("shop", "cellar") == ["shelf", "store"]
    assert registries.default.tools["shelf"].app_label == "shop"


def test_a_failed_import_leaves_no_ghost(project: Project) -> None:
    file = project.write("shop/mcp_tools.py", TOOL.format("sell") + "\n    import nowhere")
    project.refuses("shop")
    file.write_text(file.read_text().replace("import nowhere", ""))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        assert project.start("shop") == ["sell"]
    finally:
        sys.dont_write_bytecode = before


def test_the_same_name_in_two_apps(project: Project) -> None:
    project.write("shop/mcp_tools.py", TOOL.format("sell"))
    project.write("cellar/mcp_tools.py", TOOL.format("sell"))
    assert project.refuses("cellar", "shop") == (
        "…/shop/mcp_tools.py:4: sell: The name 'sell' is taken by …/cellar/mcp_tools.py:4: sell. "
        "Give one of the two another name with name=."
    )


def test_a_file_that_is_imported_under_two_names(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("shop/mcp_tools.py", TOOL.format("sell"))
    monkeypatch.syspath_prepend(str(project.path / "shop"))
    message = project.refuses("shop", modules=("mcp_tools",))
    assert message == (
        "…/shop/mcp_tools.py:4: sell: The file is imported twice, as shop.mcp_tools and as "
        "mcp_tools, so the name 'sell' is taken. Import it under one name everywhere."
    )


MISTAKES: list[Any] = [
    (
        """
        from mcp_django import tool

        @tool(name="two words")
        def sell() -> None: ...
        """,
        "…/shop/mcp_tools.py:4: sell: 'two words' is not a valid name. Give it one with name=: 1 "
        "to 128 of the characters A-Z, a-z, 0-9, '_', '-' and '.'.",
    ),
    (
        """
        from mcp_django import Tool

        class Sell(Tool):
            def __init__(self, till: str) -> None: ...
            def call(self) -> None: ...
        """,
        "…/shop/mcp_tools.py:4: Sell: Its constructor needs till. Fetch what it works with in "
        "setup(), with self.require(…), or register an instance: server.register(Sell(…)).",
    ),
    (
        """
        from mcp_django import tool

        class Till:
            @tool
            def open(self) -> None: ...
        """,
        "…/shop/mcp_tools.py:5: Till.open: @tool stands on a method of a class that is no Toolset, "
        "or another decorator hides it. Derive the class from mcp_django.Toolset, and let @tool be "
        "the topmost decorator.",
    ),
    (
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        from mcp_django import tool

        if TYPE_CHECKING:
            from decimal import Decimal

        @tool
        def sell(price: Decimal) -> None: ...
        """,
        "…/shop/mcp_tools.py:9: sell: The type of 'price', 'Decimal', cannot be resolved: name "
        "'Decimal' is not defined. Import or define the name at the top level of the module, not "
        "only under `if TYPE_CHECKING:`.",
    ),
    (
        """
        from mcp_django import tool

        @tool
        def sell(price) -> None: ...
        """,
        "…/shop/mcp_tools.py:4: sell: The parameter 'price' has no annotation. Write its type, "
        "such as price: str, or give arguments= a serializer.",
    ),
    (
        """
        from typing import Annotated
        from mcp_django import Inject, tool

        def till(number: int) -> int:
            return number

        @tool
        def sell(till: Annotated[int, Inject(till)]) -> None: ...
        """,
        "…/shop/mcp_tools.py:8: sell: till, which fills 'till': Nobody fills its parameter "
        "'number'. Callers send nothing to it: inject that too, or give it a default.",
    ),
]


@pytest.mark.parametrize(("source", "message"), MISTAKES)
def test_mistakes_stop_start_up(project: Project, source: str, message: str) -> None:
    project.write("shop/mcp_tools.py", source)
    assert project.refuses("shop") == message


def test_a_name_further_down_in_the_module_is_found(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from __future__ import annotations
        from dataclasses import dataclass
        from mcp_django import tool

        @tool
        def sell(price: Price) -> None: ...

        @dataclass
        class Price:
            amount: int
        """,
    )
    assert project.start("shop") == ["sell"]
    # Also when Django starts a second time, in tests that change INSTALLED_APPS.
    with registries.default.isolated():
        registries.default.unregister("sell")
        del sys.modules["shop.mcp_tools"]
        assert project.start("shop") == ["sell"]


def test_a_module_that_ends_the_process_says_where(project: Project) -> None:
    project.write("shop/mcp_tools.py", "import sys\n\nsys.exit('Set SHOP_KEY.')\n")
    assert project.refuses("shop") == (
        "…/shop/mcp_tools.py:3: shop.mcp_tools: It cannot be imported: SystemExit: Set SHOP_KEY. "
        "Mend what this line does."
    )


def test_a_package_above_that_ends_the_process_says_where(project: Project) -> None:
    project.write("shop/apps.py")
    file = project.write("outer/more.py")
    (file.parent / "__init__.py").write_text("raise SystemExit(1)\n")
    assert project.refuses("shop", modules=("outer.more",)) == (
        "…/outer/__init__.py:1: outer: It cannot be imported: SystemExit: 1. "
        "Mend what this line does."
    )


def test_a_path_that_is_none_names_the_setting(project: Project) -> None:
    assert project.refuses(modules=(".x",)) == (
        "MCP_DJANGO[\"MODULES\"] is '.x'. It takes import paths such as library.more_tools."
    )


def test_a_function_that_wraps_itself_stops_start_up(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from mcp_django import tool

        def sell() -> str:
            "Sell."
            return ""

        sell.__wrapped__ = sell
        tool(sell)
        """,
    )
    assert project.refuses("shop") == (
        "…/shop/mcp_tools.py:9: shop.mcp_tools: sell wraps itself: its __wrapped__ leads back to "
        "it. Let functools.wraps() set that, on the wrapper."
    )


def test_a_text_that_cannot_be_written_stops_start_up(project: Project) -> None:
    project.write(
        "shop/mcp_tools.py",
        """
        from mcp_django import tool

        @tool(title="\\ud83d")
        def sell() -> str:
            "Sell."
            return ""

        """,
    )
    assert project.refuses("shop") == (
        "…/shop/mcp_tools.py:4: sell: title holds half of a surrogate pair, which no text can. "
        "Write the whole character."
    )


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("__init__", "The class cannot be made: SystemExit: 3. Mend its __init__()."),
        (
            "setup",
            "setup() failed: SystemExit: 3. Mend it; what needs the database or a request belongs "
            "into the call.",
        ),
    ],
)
def test_a_class_that_ends_the_process_says_where(
    project: Project, method: str, words: str
) -> None:
    project.write(
        "shop/mcp_tools.py",
        f"""
        from mcp_django import Tool

        class Sell(Tool):
            "Sell."

            def {method}(self):
                raise SystemExit(3)

            def call(self) -> str:
                return ""
        """,
    )
    assert project.refuses("shop") == f"…/shop/mcp_tools.py:4: Sell: {words}"
