from __future__ import annotations

from xml.etree import ElementTree

from turnwright_learn.tank.training.chart import Line, Panel, chart

SVG = "{http://www.w3.org/2000/svg}"


def numbers(points: str) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in points.split()]
    return [(float(x), float(y)) for x, y in pairs]


def test_a_line_goes_through_its_points_inside_its_band() -> None:
    line = Line(
        "a < b", [(0.0, 10.0, 5.0, 20.0), (5.0, 50.0, 40.0, 60.0), (10.0, 90.0, 80.0, 120.0)], banded=True
    )
    root = ElementTree.fromstring(chart("A & B", "minutes", [Panel("Won, %", [line], 0.0, 100.0)]))
    (drawn,) = root.iter(f"{SVG}polyline")
    (band,) = root.iter(f"{SVG}polygon")
    points, edge = numbers(drawn.attrib["points"]), numbers(band.attrib["points"])
    assert len(points) == 3
    assert len(edge) == 6
    xs, ys = [x for x, _ in points], [y for _, y in points]
    assert xs[1] - xs[0] == xs[2] - xs[1] > 0
    assert ys == sorted(ys, reverse=True), "more is above"
    assert all(edge[k][1] <= points[k][1] <= edge[5 - k][1] for k in range(3))
    assert edge[2][1] > 0, "a value beyond the scale is drawn at its end"
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"A & B", "a < b", "minutes", "Won, %"} <= set(texts)


def test_a_chart_without_points_is_a_chart() -> None:
    root = ElementTree.fromstring(chart("Nothing", "minutes", [Panel("Return", [Line("return", [])])]))
    assert not list(root.iter(f"{SVG}polyline"))


def test_equal_values_have_a_scale() -> None:
    line = Line("flat", [(0.0, 3.0, 3.0, 3.0), (0.0, 3.0, 3.0, 3.0)])
    assert "nan" not in chart("Flat", "minutes", [Panel("Return", [line])])


def test_a_scale_has_round_numbers() -> None:
    line = Line("return", [(0.0, -1.06, -1.06, -1.06), (1.0, 0.89, 0.89, 0.89)])
    root = ElementTree.fromstring(chart("Training", "minutes", [Panel("Return", [line])]))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"-1.5", "-1", "-0.5", "0", "0.5", "1"} <= set(texts)
