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

/** Gives names their colours again, once the content is in the page. */
export function ink(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-ink]')) {
    element.style.color = element.dataset['ink'] ?? '';
  }
}

function sheetOf(style: string): CSSStyleSheet | undefined {
  if (style === '') return undefined;
  const sheet = new CSSStyleSheet();
  // What the engine wrote for a page of its own holds for the root of the shadow.
  const scoped = style.replace(/(^|[\s,}])(html|body|:root)(?=[\s,{])/g, '$1:host');
  sheet.replaceSync(scoped.replace(/@import[^;]*;/g, '').replace(/url\([^)]*\)/g, 'none'));
  return sheet;
}
