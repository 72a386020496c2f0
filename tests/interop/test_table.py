"""The table in docs/exchange.md agrees with the tests."""

import table


def test_the_document_has_the_table_of_the_tests():
    lines, begin, end = table.written()
    assert lines[begin:end] == table.table(), "run tests/interop/table.py"


def test_every_client_is_in_the_table():
    shown = {mark[0] for mark in table.marks()}
    files = {path.stem.removeprefix("test_") for path in table.HERE.glob("test_*.py")}
    assert len(shown) == len(files - {"table", "import_order"})
    assert {direction for _, direction, *_ in table.marks()} == {
        "from us",
        "to us",
        "both",
        "fails",
    }
