//! PNG files.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// 8 bits per channel, RGB, and the only methods of compression, filtering and interlacing.
const FORMAT: [u8; 5] = [8, 2, 0, 0, 0];
/// The filter that stores the difference to the pixel above. Grounds change slowly.
const UP: u8 = 2;

/// Encodes an image of RGB pixels.
pub(super) fn encoded(pixels: &[[u8; 3]], width: usize) -> Vec<u8> {
    let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    let above = std::iter::once(None).chain(pixels.chunks(width).map(Some));
    for (above, row) in above.zip(pixels.chunks(width)) {
        let mut line = vec![UP];
        for (nth, pixel) in row.iter().enumerate() {
            let before = above.map_or([0; 3], |above| above[nth]);
            line.extend((0..3).map(|part| pixel[part].wrapping_sub(before[part])));
        }
        packed.write_all(&line).expect("writing to memory cannot fail");
    }
    let packed = packed.finish().expect("writing to memory cannot fail");
    let header = [&number(width)[..], &number(pixels.len() / width), &FORMAT].concat();
    let mut file = SIGNATURE.to_vec();
    for (kind, content) in [(b"IHDR", header), (b"IDAT", packed), (b"IEND", Vec::new())] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(&content);
        file.extend([&number(content.len())[..], kind, &content].concat());
        file.extend(crc.sum().to_be_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn files_have_the_chunks_and_pixels_of_the_specification() {
        let (red, blue) = ([255, 0, 0], [0, 1, 255]);
        let file = encoded(&[red, blue, blue, red], 2);
        // The header of an image of 2 by 2 pixels, with its checksum as other encoders write it.
        let begin =
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x02\0\0\0\x02\x08\x02\0\0\0\xfd\xd4\x9as";
        assert_eq!(file[..begin.len()], begin[..]);
        assert!(file.ends_with(b"\0\0\0\0IEND\xaeB`\x82"));
        let length = usize::from(file[begin.len() + 3]);
        let data = &file[begin.len() + 8..][..length];
        let mut lines = Vec::new();
        flate2::read::ZlibDecoder::new(data).read_to_end(&mut lines).unwrap();
        assert_eq!(lines, [2, 255, 0, 0, 0, 1, 255, 2, 1, 1, 255, 255, 255, 1]);
    }
}
