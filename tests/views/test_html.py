"""A page that needs nothing else."""

from html.parser import HTMLParser

from apprenti.views.html import Section, page


def test_text_stays_text_and_tables_have_their_cells(tmp_path):
    (tmp_path / "one.png").write_bytes(b"\x89PNG")
    sections = [Section("a <b>", ["x & y"], [["agent", "points"], ["one", "<3"]], [tmp_path / "one.png"])]
    text = page("Title & more", sections)
    found = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append(tag)

    Parser().feed(text)
    assert (found.count("th"), found.count("td"), found.count("img"), found.count("b")) == (2, 2, 1, 0)
    assert "<h1>Title &amp; more</h1>" in text and "x &amp; y" in text and "&lt;3" in text
    assert "base64,iVBORw==" in text
