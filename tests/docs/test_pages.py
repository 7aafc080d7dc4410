"""The pages: no link leads nowhere, all are in the navigation, and the French ones say what the English ones say."""

import re
from collections import Counter

import pytest
from mkdocs_hooks import ENGLISH_ONLY, HEADING, ROOT, headings, slug, with_french_spaces, with_lists

from apprenti.lab.agents import zoo
from apprenti.lab.french import picture_in_french
from apprenti.lab.published import names

DOCS = ROOT / "docs"
COURSE = (ROOT / "course" / "en" / "README.md", ROOT / "course" / "fr" / "LISEZMOI.md")
OTHERS = [
    ROOT / "README.md",
    ROOT / "LISEZMOI.md",
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    ROOT / "CONTRIBUTING.md",
    *COURSE,
]
PAGES = [*sorted(DOCS.glob("*.md")), *OTHERS]
FRENCH = [(DOCS / page.name.replace(".fr.md", ".md"), page) for page in sorted(DOCS.glob("*.fr.md"))]
BOTH = [*FRENCH, (ROOT / "README.md", ROOT / "LISEZMOI.md"), COURSE]
CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
MADE = {"reference.md", "course.md", *(f"lesson-{number:02}.md" for number in range(1, 13))}
"""Pages that are made when the site is built."""
ALGORITHMS = ("Idea", "Equations → code", "Config", "Metrics", "Result", "Command", "References")
GAMES = ("Rules", "State", "Notation", "Observation", "Actions", "Rewards", "End")
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def read(path):
    return path.read_text(encoding="utf-8")


def anchors(path):
    """What can follow # in a link to the page; the second of two equal headings gets a number."""
    seen = Counter()
    for _, text in headings(read(path)):
        anchor = slug(text)
        yield anchor if not seen[anchor] else f"{anchor}-{seen[anchor]}"
        seen[anchor] += 1


def links(path):
    return [first or second for first, second in LINK.findall(CODE.sub("", read(path)))]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_link_of_a_page_leads_nowhere(page):
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = page.parent / target if target else page
        assert path.exists() or target in MADE, f"{link}: there is no such file"
        if anchor and target not in MADE:
            assert anchor in anchors(path), f"{link}: there is no such heading"


def test_the_heading_of_a_block_of_code_is_none():
    assert headings("# A\n```\n# no\n```\n## B, C → d\n") == [(1, "A"), (2, "B, C → d")]
    assert slug("B, C → d") == "b-c--d"
    assert len(HEADING.findall("# A\n\n# B\n")) == 2


def test_what_belongs_to_an_item_of_a_list_is_indented_by_four():
    assert with_lists("text\n1. one\n   on\n\n   ```\n   - x\n   ```\n2. two\n\nend\n") == (
        "text\n\n1. one\n    on\n\n    ```\n    - x\n    ```\n\n2. two\n\nend\n"
    )


def test_no_line_of_french_begins_with_a_colon():
    said = with_french_spaces("Ici : « oui » ? `a : b` 5 % ![x](y) <i style='a : b'>\n```\nnon :\n```\n")
    assert said == ("Ici\u00a0: «\u00a0oui\u00a0»\u00a0? `a : b` 5\u00a0% ![x](y) <i style='a : b'>\n```\nnon :\n```\n")
    for _, page in BOTH:
        assert not re.search(r"(?m)^[:;?!»]", read(page).replace("![", "")), page


def navigation(part="nav"):
    """The pages of the site, or of one of its parts."""
    config = read(ROOT / "mkdocs.yml")
    listed = (
        config[config.index("\nnav:") :]
        if part == "nav"
        else re.split(r"\n  - (?=\w+:)", config.split(f"- {part}:\n")[1])[0]
    )
    return re.findall(r"^ +- (\S+\.md)$", listed, re.MULTILINE)


def test_the_navigation_has_every_page_once():
    pages = {page.name for page in DOCS.glob("*.md") if not page.name.endswith(".fr.md")}
    assert Counter(navigation()) == Counter(pages | MADE | {"CONTRIBUTING.md", "CHANGELOG.md"})


@pytest.mark.parametrize("page", navigation("Algorithms"))
def test_the_page_of_an_algorithm_has_the_headings_of_all(page):
    assert set(ALGORITHMS) <= {text for depth, text in headings(read(DOCS / page)) if depth == 2}


@pytest.mark.parametrize("page", ["tetris.md", "mnk.md", "mdp.md", "luzhanqi.md"])
def test_the_page_of_a_game_has_the_headings_of_all(page):
    assert set(GAMES) <= {text for depth, text in headings(read(DOCS / page)) if depth == 2}


def test_every_page_is_in_french_but_for_what_is_made_from_the_code():
    french = {page.name.replace(".fr.md", ".md") for _, page in BOTH}
    assert set(navigation()) - french == ENGLISH_ONLY | (MADE - {"reference.md"})


@pytest.mark.parametrize(("english", "french"), BOTH, ids=[french.name for _, french in BOTH])
def test_a_french_page_has_the_parts_of_its_english_page(english, french):
    assert [depth for depth, _ in headings(read(french))] == [depth for depth, _ in headings(read(english))]


def blocks(path):
    """Of every paragraph, list and table how many items and rows it has; and blocks of code."""
    parts = re.split(r"\n\s*\n", re.sub(r"(?ms)^( *)```.*?^\1```", "code", read(path)).strip())
    return [(len(re.findall(r"(?m)^\s*(?:-|\d+\.) ", part)), len(re.findall(r"(?m)^\|", part))) for part in parts]


@pytest.mark.parametrize(("english", "french"), BOTH, ids=[french.name for _, french in BOTH])
def test_a_french_page_has_the_paragraphs_items_and_rows_of_its_english_page(english, french):
    assert blocks(french) == blocks(english)


@pytest.mark.parametrize(("english", "french"), BOTH, ids=[french.name for _, french in BOTH])
def test_a_french_page_has_no_figure_that_its_english_page_has_not(english, french):
    assert figures(read(french)) - figures(read(english)) == set()


@pytest.mark.parametrize(("english", "french"), BOTH, ids=[french.name for _, french in BOTH])
def test_the_tables_of_both_languages_have_the_same_figures(english, french):
    tables = [[line for line in read(page).splitlines() if line.lstrip().startswith("|")] for page in (english, french)]
    assert figures("\n".join(tables[1])) == figures("\n".join(tables[0]))


@pytest.mark.parametrize(("english", "french"), BOTH, ids=[french.name for _, french in BOTH])
def test_a_french_page_has_the_published_tables_of_its_english_page(english, french):
    tables = re.compile(r"^<!-- table .*?^<!-- end", re.DOTALL | re.MULTILINE)
    assert tables.findall(read(french)) == tables.findall(read(english))


def figures(text):
    """Every number of three digits and more, or with a fraction; French writes 0,6 for 0.6."""
    text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    return set(re.findall(r"\d+(?: \d{3})+|\d+\.\d+|\d{3,}", text))


def test_the_results_of_the_readme_are_those_of_the_page_of_results():
    rows = [line for line in read(ROOT / "README.md").splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    page = read(DOCS / "results-for-people.md")
    for number in re.findall(r"\*\*(?:above )?([\d. ]+)", "\n".join(rows)):
        assert number.strip() in page, number


@pytest.mark.parametrize("page", [french for _, french in BOTH], ids=lambda page: page.name)
def test_the_pictures_of_a_french_page_are_french(page):
    for link in links(page):
        if link.endswith((".svg", ".png", ".gif")):
            assert link.endswith((".fr.svg", ".fr.png", ".fr.gif")), link


@pytest.mark.parametrize("picture", sorted(DOCS.glob("**/*.fr.svg")), ids=lambda path: path.name)
def test_a_french_picture_is_the_english_one_in_other_words(picture):
    english = read(picture.with_name(picture.name.replace(".fr.svg", ".svg")))
    assert read(picture) == picture_in_french(english, names(zoo())), "python -m apprenti.lab.published"
