// What the engine draws and writes, made safe: the engine is trusted, and sanitized all the same.

import DOMPurify from 'dompurify';

/** A picture or a page, ready to be put into a shadow root. */
export interface Clean {
  content: DocumentFragment;
  /** Its own style sheet: a constructed one, since the page's policy allows no inline styles. */
  sheet: CSSStyleSheet | undefined;
}

/** The marks by which pictures name what they show. */
const MARKS = ['data-place', 'data-piece', 'data-owner', 'data-layer', 'data-order', 'data-group'];

/** Inline styles, which the page's policy would refuse as soon as they are read. */
const STYLE = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi;
const STYLE_ATTRIBUTE = /\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;
/** A name in its owner's colour. */
const INKED = / style="color:\s*(#[0-9a-f]{3,8}|[a-z]+);?"/gi;

/** An SVG document. */
export function cleanSvg(source: string): Clean {
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

/** An HTML document with a picture in it. */
export function cleanHtml(source: string): Clean {
  // The style sheet of the document's head, which the sanitizer takes away.
  const style = /<style>([^<]*)<\/style>/.exec(source)?.[1] ?? '';
  // Names are written in their owners' colours; set by script, these pass the policy.
  const plain = source
    .replace(STYLE, '')
    .replace(INKED, ' data-ink="$1"')
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

/** Text has at least this contrast with its ground (WCAG 2, level AA). */
const CONTRAST_MIN = 4.5;
type Rgb = readonly [number, number, number];

/**
 * Gives names their colours again, once the content is in the page. The engine chose them for a
 * dark ground: a colour that is too close to this ground moves away from it.
 */
export function ink(root: ParentNode, ground: Element): void {
  const under = rgbOf(getComputedStyle(ground).backgroundColor);
  for (const element of root.querySelectorAll<HTMLElement>('[data-ink]')) {
    element.style.color = element.dataset['ink'] ?? '';
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

/** Moves a colour towards black or white until it can be read on a ground. */
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
  // What the engine wrote for a page of its own holds for the root of the shadow.
  const scoped = style.replace(/(^|[\s,}])(html|body|:root)(?=[\s,{])/g, '$1:host');
  sheet.replaceSync(scoped.replace(/@import[^;]*;/g, '').replace(/url\([^)]*\)/g, 'none'));
  return sheet;
}
