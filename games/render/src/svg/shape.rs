//! Shapes as polygons: paths, circles, rectangles, and the outlines of strokes.

use super::to_f64;

pub(super) type Spot = (f64, f64);

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) spots: Vec<Spot>,
    pub(super) is_closed: bool,
}

/// The number of segments of a curve.
const SEGMENTS: usize = 8;
/// The distance of a control point of a quarter of a circle, relative to its radius.
const KAPPA: f64 = 0.5523;

/// Reads path data with the commands `M`, `L`, `Q`, `A` and `Z`, also in lower case. Arcs become
/// lines, because pictures have only short ones.
pub(super) fn path(data: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut now = (0.0, 0.0);
    let mut rest = data;
    while let Some(command) = rest.chars().next().filter(char::is_ascii_alphabetic) {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers = numbers(&rest[1..end]);
        rest = &rest[end..];
        let (x, y) = if command.is_ascii_lowercase() { now } else { (0.0, 0.0) };
        let command = command.to_ascii_uppercase();
        if command == 'M' {
            lines.push(Line::default());
        }
        let Some(line) = lines.last_mut() else { continue };
        match (command, &numbers[..]) {
            ('Z', _) => {
                line.is_closed = true;
                now = line.spots.first().copied().unwrap_or(now);
            }
            ('M' | 'L', &[dx, dy]) | ('A', &[.., dx, dy]) => {
                now = (x + dx, y + dy);
                line.spots.push(now);
            }
            ('Q', &[cx, cy, dx, dy]) => {
                let (control, last) = ((x + cx, y + cy), (x + dx, y + dy));
                // A quadratic curve is a cubic one with control points at two thirds.
                let towards = |spot| between(spot, control, 2.0 / 3.0);
                line.spots.extend(curve([now, towards(now), towards(last), last]));
                now = last;
            }
            _ => {}
        }
    }
    lines
}

/// Reads the corners of a polygon.
pub(super) fn polygon(points: &str) -> Vec<Line> {
    let numbers = numbers(points);
    closed(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

pub(super) fn circle((x, y): Spot, radius: f64) -> Vec<Line> {
    // From the right to the bottom, left, top and back, in units of the radius.
    const CORNERS: [Spot; 5] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)];
    let at = |(dx, dy): Spot| (x + dx * radius, y + dy * radius);
    let quarter = |pair: &[Spot]| {
        let [start, end] = [pair[0], pair[1]];
        let control = |from: Spot, to: Spot| at((from.0 + to.0 * KAPPA, from.1 + to.1 * KAPPA));
        curve([at(start), control(start, end), control(end, start), at(end)])
    };
    closed(CORNERS.windows(2).flat_map(quarter).collect())
}

pub(super) fn rect((x, y): Spot, (width, height): Spot) -> Vec<Line> {
    closed(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
}

/// Returns polygons that cover a stroke along lines. All turn in the same direction, so the nonzero
/// rule joins them.
pub(super) fn stroke(lines: &[Line], width: f64, dashes: &[f64]) -> Vec<Line> {
    let half = width / 2.0;
    let mut covers = Vec::new();
    for line in dashed(lines, dashes) {
        let first = line.spots.first().copied();
        let ends = first.filter(|_| line.is_closed);
        let spots: Vec<Spot> = line.spots.iter().copied().chain(ends).collect();
        for pair in spots.windows(2) {
            let [(x, y), (x2, y2)] = [pair[0], pair[1]];
            let length = (x2 - x).hypot(y2 - y);
            if length > 0.0 {
                let (dx, dy) = (-(y2 - y) / length * half, (x2 - x) / length * half);
                let corners = vec![
                    (x - dx, y - dy),
                    (x2 - dx, y2 - dy),
                    (x2 + dx, y2 + dy),
                    (x + dx, y + dy),
                ];
                covers.extend(closed(corners));
            }
        }
        let inner = if line.is_closed { 0..line.spots.len() } else { 1..spots.len().max(2) - 1 };
        for joint in &spots[inner] {
            covers.extend(octagon(*joint, half));
        }
    }
    covers
}

/// Cuts lines into dashes.
fn dashed(lines: &[Line], dashes: &[f64]) -> Vec<Line> {
    if dashes.iter().sum::<f64>() <= 0.0 {
        return lines.to_vec();
    }
    let mut cut = Vec::new();
    for line in lines {
        let end = line.spots.first().copied().filter(|_| line.is_closed);
        let mut spots = line.spots.iter().copied().chain(end);
        let Some(mut now) = spots.next() else { continue };
        let mut lengths = dashes.iter().copied().cycle();
        let (mut left, mut is_drawn) = (lengths.next().unwrap_or(0.0), true);
        let mut dash = vec![now];
        for next in spots {
            loop {
                let length = (next.0 - now.0).hypot(next.1 - now.1);
                if length <= left {
                    left -= length;
                    break;
                }
                now = between(now, next, left / length);
                dash.push(now);
                if is_drawn {
                    cut.push(Line { spots: std::mem::take(&mut dash), is_closed: false });
                }
                dash = vec![now];
                left = lengths.next().unwrap_or(0.0);
                is_drawn = !is_drawn;
            }
            now = next;
            dash.push(now);
        }
        if is_drawn {
            cut.push(Line { spots: dash, is_closed: false });
        }
    }
    cut
}

fn closed(spots: Vec<Spot>) -> Vec<Line> {
    vec![Line { spots, is_closed: true }]
}

fn octagon((x, y): Spot, radius: f64) -> Vec<Line> {
    const UNIT: [Spot; 8] = [
        (1.0, 0.0),
        (0.707, 0.707),
        (0.0, 1.0),
        (-0.707, 0.707),
        (-1.0, 0.0),
        (-0.707, -0.707),
        (0.0, -1.0),
        (0.707, -0.707),
    ];
    closed(UNIT.map(|(dx, dy)| (x + dx * radius, y + dy * radius)).to_vec())
}

/// Returns points of a cubic curve, without its start.
fn curve([start, one, two, end]: [Spot; 4]) -> impl Iterator<Item = Spot> {
    (1..=SEGMENTS).map(move |nth| {
        let part = to_f64(nth) / to_f64(SEGMENTS);
        let [a, b, c] = [(start, one), (one, two), (two, end)].map(|(p, q)| between(p, q, part));
        between(between(a, b, part), between(b, c, part), part)
    })
}

pub(super) fn between(start: Spot, end: Spot, part: f64) -> Spot {
    (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ',']).filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(line: &Line) -> f64 {
        let next = line.spots.iter().cycle().skip(1);
        let turns = line.spots.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1);
        turns.sum::<f64>() / 2.0
    }

    #[test]
    fn paths_are_read_as_lines() {
        let lines = path("M104 50l-4 3l-4.5 -3zM0 0L2.5 0");
        let [closed, open] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(closed.spots, [(104.0, 50.0), (100.0, 53.0), (95.5, 50.0)]);
        assert!(closed.is_closed && !open.is_closed);
        assert_eq!(open.spots, [(0.0, 0.0), (2.5, 0.0)]);
        let curved = path("M0 0Q10 10 20 0");
        assert_eq!(curved[0].spots.len(), SEGMENTS + 1);
        let (x, y) = curved[0].spots[SEGMENTS / 2];
        assert!((x - 10.0).abs() < 0.01 && (y - 5.0).abs() < 0.01, "{x} {y}");
        assert_eq!(path("M1 2a9 9 0 0 1 13 -6")[0].spots, [(1.0, 2.0), (14.0, -4.0)]);
        for odd in ["", "x", "1 2", "L1 1", "é", "M1", "Q1 1"] {
            assert!(path(odd).iter().all(|line| line.spots.is_empty()), "{odd}");
        }
    }

    #[test]
    fn circles_and_strokes_have_their_areas_and_turn_alike() {
        let round = area(&circle((5.0, 5.0), 10.0)[0]);
        assert!((round - 314.16).abs() < 4.0, "{round}");
        let line = Line { spots: vec![(0.0, 0.0), (30.0, 0.0), (30.0, -40.0)], is_closed: false };
        let covers = stroke(&[line], 2.0, &[]);
        let areas: Vec<f64> = covers.iter().map(area).collect();
        assert_eq!(areas[..2], [60.0, 80.0]);
        assert_eq!(areas.len(), 3, "two segments and the joint");
        let square = stroke(&rect((0.0, 0.0), (10.0, 10.0)), 1.0, &[]);
        assert_eq!(square.len(), 8);
        assert!(square.iter().chain(&covers).all(|cover| area(cover) > 0.0));
    }

    #[test]
    fn dashes_follow_a_line_around_its_corners() {
        let line = Line { spots: vec![(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], is_closed: false };
        let cut = dashed(std::slice::from_ref(&line), &[4.0, 3.0]);
        let spots: Vec<_> = cut.iter().map(|dash| dash.spots.clone()).collect();
        assert_eq!(spots, [vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 2.0), (5.0, 5.0)]]);
        assert_eq!(dashed(&[line], &[0.0]).len(), 1);
    }
}
