//! Simulated color vision for tests: the matrices of Machado, Oliveira and Fernandes (2009) at
//! full severity on linear light, and distances in OKLab (Ottosson 2020).

use super::Color;

heliopause_kernel::vocabulary! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum ColorVision {
        Usual = "usual sight",
        Protanopia = "protanopia",
        Deuteranopia = "deuteranopia",
        Tritanopia = "tritanopia",
    }
}

type Matrix = [[f64; 3]; 3];

impl ColorVision {
    fn matrix(self) -> Matrix {
        match self {
            Self::Usual => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Protanopia => [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            Self::Deuteranopia => [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
            Self::Tritanopia => [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        }
    }
}

fn times(matrix: Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Converts a color to OKLab as seen with this vision.
fn seen(sight: ColorVision, color: Color) -> [f64; 3] {
    const CONES: Matrix = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    const LAB: Matrix = [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
    ];
    let light =
        times(sight.matrix(), color.channels().map(linear)).map(|part| part.clamp(0.0, 1.0));
    times(LAB, times(CONES, light).map(f64::cbrt))
}

pub(super) fn least_distance(sight: ColorVision, color: Color, others: &[Color]) -> f64 {
    let [l, a, b] = seen(sight, color);
    let distance = |other: &Color| {
        let [light, green, blue] = seen(sight, *other);
        (l - light).hypot(a - green).hypot(b - blue)
    };
    others.iter().map(distance).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_cones_confuse_colours() {
        let (red, green) = (Color::new(0xc0_4040), Color::new(0x70_7030));
        let apart = |sight| least_distance(sight, red, &[green]);
        assert!(apart(ColorVision::Protanopia) < 0.5 * apart(ColorVision::Usual));
        let [light, ..] = seen(ColorVision::Usual, Color::new(0xff_ffff));
        assert!((light - 1.0).abs() < 0.001);
    }
}
