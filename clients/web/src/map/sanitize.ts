// Sanitizes the engine's SVG and HTML, as a second line of defence: the engine is trusted.

import DOMPurify from 'dompurify';

/** A sanitized map image or report, ready for a shadow root. */
export interface Sanitized {
  content: DocumentFragment;
  /** The style sheet as a constructed one: the page's policy forbids inline styles. */
  sheet: CSSStyleSheet | undefined;
}

/** Attributes that name the places, pieces and layers in map images. */
const MARKS = ['data-place', 'data-piece', 'data-owner', 'data-layer', 'data-order', 'data-group'];

/** Inline styles. They are removed before parsing, because parsing them violates the policy. */
const STYLE = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi;
const STYLE_ATTRIBUTE = /\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;
/** A name in the colour of its owner. */
const COLORED_NAME = / style="color:\s*(#[0-9a-f]{3,8}|[a-z]+);?"/gi;

export function sanitizeSvg(source: string): Sanitized {
  const plain = source.replace(STYLE, '').replace(STYLE_ATTRIBUTE, '');
  const content = DOMPurify.sanitize(plain, {
    USE_PROFILES: { svg: true, svgFilters: true },
    ADD_ATTR: MARKS,
    FORBID_TAGS: ['style', 'a', 'image', 'use', 'foreignObject', 'animate'],
    FORBID_ATTR: ['style', 'href', 'xlink:href'],
    RETURN_DOM_FRAGMENT: true,
  });
  return { content, sheet: undefined };
}

export function sanitizeHtml(source: string): Sanitized {
  // Extract the style sheet now, because the sanitizer removes the head.
  const style = /<style>([^<]*)<\/style>/.exec(source)?.[1] ?? '';
  // Keep the colours of names as attributes. The policy lets a script turn them into styles.
  const plain = source
    .replace(STYLE, '')
    .replace(COLORED_NAME, ' data-color="$1"')
    .replace(STYLE_ATTRIBUTE, '');
  const content = DOMPurify.sanitize(plain, {
    USE_PROFILES: { html: true, svg: true, svgFilters: true },
    ADD_ATTR: MARKS,
    FORBID_TAGS: [
      'style',
      'form',
      'input',
      'button',
      'img',
      'image',
      'use',
      'foreignObject',
      'title',
    ],
    FORBID_ATTR: ['style', 'xlink:href'],
    RETURN_DOM_FRAGMENT: true,
  });
  return { content, sheet: sheetOf(style) };
}

DOMPurify.addHook('uponSanitizeAttribute', (_, data) => {
  if (data.attrName === 'href' && !data.attrValue.startsWith('#')) data.keepAttr = false;
});

/** The minimum contrast of text and background (WCAG 2, level AA). */
const CONTRAST_MIN = 4.5;
type Rgb = readonly [number, number, number];

/**
 * Restores the colours of names once the content is in the page. The engine chooses them for a dark
 * background, so a colour too close to this background is moved away from it.
 */
export function colorNames(root: ParentNode, ground: Element): void {
  const under = rgbOf(getComputedStyle(ground).backgroundColor);
  for (const element of root.querySelectorAll<HTMLElement>('[data-color]')) {
    element.style.color = element.dataset['color'] ?? '';
    const color = readable(rgbOf(getComputedStyle(element).color), under);
    element.style.color = `rgb(${color.join(', ')})`;
  }
}

function rgbOf(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Moves a colour towards black or white until it is readable on the background. */
export function readable(color: Rgb, ground: Rgb): Rgb {
  const end = luminance(ground) > 0.18 ? 0 : 255;
  let best = color;
  for (let part = 0; part <= 1 && contrast(best, ground) < CONTRAST_MIN; part += 0.05) {
    best = color.map((each) => Math.round(each + (end - each) * part)) as unknown as Rgb;
  }
  return best;
}

function sheetOf(style: string): CSSStyleSheet | undefined {
  if (style === '') return undefined;
  const sheet = new CSSStyleSheet();
  // Rules for the engine's own page apply to the root of the shadow.
  const scoped = style.replace(/(^|[\s,}])(html|body|:root)(?=[\s,{])/g, '$1:host');
  sheet.replaceSync(scoped.replace(/@import[^;]*;/g, '').replace(/url\([^)]*\)/g, 'none'));
  return sheet;
}
