//! Resource use of the engine: samples, growth, and plots.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use heliopause_tests::{Engine, memory_of};

use crate::guests::Tally;

const MEGABYTE: f64 = 1_048_576.0;

/// The measured series: the name, the unit, and the growth that is accepted in one life of the
/// engine, as a fraction and in the unit.
const SERIES: [(&str, &str, f64, f64); 6] = [
    ("memory", "MB", 0.10, 16.0),
    ("open files", "", 0.10, 8.0),
    ("threads", "", 0.0, 4.0),
    ("games in memory", "", 0.25, 16.0),
    ("streams", "", 0.10, 6.0),
    ("disk by game", "KB", 0.10, 8.0),
];

#[derive(Clone, Copy)]
pub(crate) struct Sample {
    life: u32,
    at: f64,
    age: f64,
    values: [f64; 6],
}

impl Sample {
    pub(crate) fn of(
        engine: &Engine,
        life: u32,
        at: Duration,
        age: Duration,
        tally: &Tally,
    ) -> Self {
        let folder = |name: &str| {
            let listed = std::fs::read_dir(format!("/proc/{}/{name}", engine.pid()));
            listed.map_or(0.0, |entries| entries.count() as f64)
        };
        let games = tally.games.load(Ordering::Relaxed).max(1) as f64;
        let values = [
            memory_of(engine.pid()) as f64 / MEGABYTE,
            folder("fd"),
            folder("task"),
            engine.metric("heliopause_live_games"),
            engine.metric("heliopause_open_streams"),
            bytes_below(engine.data()) as f64 / games / 1024.0,
        ];
        Self { life, at: at.as_secs_f64() / 60.0, age: age.as_secs_f64(), values }
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => bytes_below(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

/// The slope of a regression line per minute, with the standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slope {
    rise: f64,
    error: f64,
    mean: f64,
    minutes: f64,
}

fn slope(points: &[(f64, f64)]) -> Option<Slope> {
    let count = points.len() as f64;
    if points.len() < 8 {
        return None;
    }
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let together: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let rise = together / spread;
    let off = |point: &(f64, f64)| (point.1 - y - rise * (point.0 - x)).powi(2);
    let rest: f64 = points.iter().map(off).sum();
    let minutes = points[points.len() - 1].0 - points[0].0;
    Some(Slope { rise, error: (rest / (count - 2.0) / spread).sqrt(), mean: y, minutes })
}

impl Slope {
    /// Returns whether the growth over the whole time certainly exceeds the limits. The slope is
    /// reduced by two standard errors first.
    fn grows(self, part: f64, room: f64) -> bool {
        let surely = (self.rise - 2.0 * self.error) * self.minutes;
        surely > (self.mean * part).max(room)
    }
}

#[derive(Default)]
pub(crate) struct Figures(Vec<Sample>);

impl Figures {
    pub(crate) fn add(&mut self, sample: Sample) {
        self.0.push(sample);
    }

    /// Returns the regression lines of a series, one per life of the engine. Pools and caches fill
    /// during the first third of a life, so its samples are omitted.
    fn slopes(&self, series: usize) -> Vec<Slope> {
        let lives = self.0.iter().map(|sample| sample.life).max().map_or(0, |last| last + 1);
        let of_life = |life: u32| {
            let samples = self.0.iter().filter(move |sample| sample.life == life);
            let longest = samples.clone().map(|sample| sample.age).fold(0.0, f64::max);
            let settled = samples.filter(|sample| sample.age > longest / 3.0);
            slope(&settled.map(|sample| (sample.at, sample.values[series])).collect::<Vec<_>>())
        };
        (0..lives).filter_map(of_life).collect()
    }

    /// Returns whether a series grows in a life of the engine. If there are several lives, the
    /// first is ignored, because it starts with a new database.
    fn grows(&self, series: usize) -> bool {
        let (_, _, part, room) = SERIES[series];
        let slopes = self.slopes(series);
        let mut counted = slopes.iter().skip(usize::from(slopes.len() > 1));
        counted.any(|slope| slope.grows(part, room))
    }

    pub(crate) fn is_flat(&self) -> bool {
        (0..SERIES.len()).all(|series| !self.grows(series))
    }

    pub(crate) fn report(&self, tally: &Tally) -> String {
        let mut report = String::new();
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let minutes = self.0.last().map_or(0.0, |sample| sample.at);
        let lives = self.0.last().map_or(0, |sample| sample.life);
        let _ = writeln!(
            report,
            "{minutes:.0} minutes, {lives} kills: {} games, {} orders accepted, {} refused, {} \
             events received; {} calls interrupted, {} games intact after a restart",
            count(&tally.games),
            count(&tally.orders),
            count(&tally.refused),
            count(&tally.events),
            count(&tally.cut),
            count(&tally.resumed),
        );
        let _ = writeln!(report, "| | mean | rise per hour ± twice the error, between kills | |");
        let _ = writeln!(report, "| --- | ---: | --- | --- |");
        for (series, (name, unit, ..)) in SERIES.iter().enumerate() {
            let slopes = self.slopes(series);
            let means = slopes.iter().map(|slope| slope.mean).sum::<f64>();
            let mean = means / (slopes.len().max(1) as f64);
            let rises: Vec<String> = slopes
                .iter()
                .map(|slope| format!("{:+.1} ± {:.1}", slope.rise * 60.0, slope.error * 120.0))
                .collect();
            let rises = rises.join(", ");
            let verdict = if self.grows(series) { "GROWS" } else { "flat" };
            let _ = writeln!(report, "| {name} | {mean:.1} {unit} | {rises} | {verdict} |");
        }
        report
    }

    pub(crate) fn plot(&self) -> String {
        const WIDTH: f64 = 760.0;
        const HEIGHT: f64 = 96.0;
        const LEFT: f64 = 120.0;
        const TOP: f64 = 28.0;
        let rows = SERIES.len() as f64;
        let minutes = self.0.last().map_or(1.0, |sample| sample.at).max(1.0);
        let x = |at: f64| LEFT + at / minutes * (WIDTH - LEFT - 20.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
             fill=\"white\"/>\n",
            TOP + rows * HEIGHT + 30.0
        );
        for (series, (name, unit, ..)) in SERIES.iter().enumerate() {
            let bottom = TOP + (series as f64 + 1.0) * HEIGHT - 22.0;
            let most = self.0.iter().map(|sample| sample.values[series]).fold(1.0, f64::max);
            let y = |value: f64| bottom - value / most * (HEIGHT - 34.0);
            let _ = writeln!(
                svg,
                "<text x=\"8\" y=\"{:.0}\">{name}</text><text x=\"8\" y=\"{:.0}\" \
                 fill=\"#666\">at most {most:.0} {unit}</text><path d=\"M{LEFT} {bottom}H{}\" \
                 stroke=\"#bbb\"/>",
                bottom - 30.0,
                bottom - 14.0,
                WIDTH - 20.0
            );
            let mut line = String::new();
            let mut life = u32::MAX;
            for sample in &self.0 {
                let pen = if sample.life == life { 'L' } else { 'M' };
                life = sample.life;
                let _ = write!(line, "{pen}{:.1} {:.1}", x(sample.at), y(sample.values[series]));
            }
            let _ = writeln!(svg, "<path d=\"{line}\" fill=\"none\" stroke=\"#1f5fa8\"/>");
        }
        let end = TOP + rows * HEIGHT;
        let mut life = 0;
        for sample in self.0.iter().filter(|sample| {
            let is_new = sample.life != life;
            life = sample.life;
            is_new
        }) {
            let at = x(sample.at);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {TOP}V{:.1}\" stroke=\"#c33\" stroke-dasharray=\"3 3\"/>",
                end - 22.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"18\" fill=\"#c33\">dashed: the engine was killed</text><text \
             x=\"{LEFT}\" y=\"{:.0}\">0</text><text x=\"{:.0}\" y=\"{:.0}\" \
             text-anchor=\"end\">{minutes:.0} minutes</text>\n</svg>",
            end,
            WIDTH - 20.0,
            end
        );
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, Sample, slope};

    fn figures(memory: impl Fn(f64) -> f64) -> Figures {
        let mut figures = Figures::default();
        for number in 0..240_u32 {
            let (life, age) = (number / 120, f64::from(number % 120) * 5.0);
            let wobble = f64::from(number * 7 % 5) - 2.0;
            let values = [memory(age) + wobble, 30.0, 12.0, 20.0 + wobble, 26.0, 40.0];
            figures.add(Sample { life, at: f64::from(number) / 12.0, age, values });
        }
        figures
    }

    #[test]
    fn growth_is_distinguished_from_warm_up() {
        assert!(figures(|_| 100.0).is_flat());
        assert!(figures(|age| 100.0 + 60.0 * (1.0 - (-age / 40.0).exp())).is_flat(), "caches fill");
        assert!(!figures(|age| 100.0 + age / 10.0).is_flat(), "60 MB in ten minutes");
    }

    #[test]
    fn a_regression_line_is_found() {
        let points: Vec<(f64, f64)> = (0..10).map(|x| (f64::from(x), 3.0 * f64::from(x))).collect();
        let found = slope(&points).unwrap();
        assert!((found.rise - 3.0).abs() < 1e-9 && found.error < 1e-9);
    }
}
