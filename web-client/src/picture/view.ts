// Pan and zoom as arithmetic.

/** How a picture lies in its window: moved by x and y, enlarged by a scale. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const SCALE_MAX = 24;

/** The view that shows the whole picture. */
export function whole(picture: Size, frame: Size): View {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height) || 1;
  return {
    scale,
    x: (frame.width - picture.width * scale) / 2,
    y: (frame.height - picture.height * scale) / 2,
  };
}

/** Enlarges about a point of the frame. */
export function zoomed(view: View, by: number, at: { x: number; y: number }, least: number): View {
  const scale = Math.min(Math.max(view.scale * by, least), least * SCALE_MAX);
  const factor = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor };
}

/** Keeps the picture within reach: its middle never leaves the frame's edges. */
export function held(view: View, picture: Size, frame: Size): View {
  const axis = (at: number, length: number, room: number) => {
    if (length <= room) return (room - length) / 2;
    const slack = room * 0.4;
    return Math.min(Math.max(at, room - length - slack), slack);
  };
  return {
    scale: view.scale,
    x: axis(view.x, picture.width * view.scale, frame.width),
    y: axis(view.y, picture.height * view.scale, frame.height),
  };
}

/** The view that has a part of the picture in its middle. */
export function centred(view: View, part: { x: number; y: number }, frame: Size): View {
  return {
    scale: view.scale,
    x: frame.width / 2 - part.x * view.scale,
    y: frame.height / 2 - part.y * view.scale,
  };
}
