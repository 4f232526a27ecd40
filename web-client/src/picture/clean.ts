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

/** Colours and nothing else may come from a style attribute. */
const COLOR = /^\s*color\s*:\s*(#[0-9a-f]{3,8}|[a-z]+)\s*;?\s*$/i;

/** An SVG document. */
export function cleanSvg(source: string): Clean {
  const content = DOMPurify.sanitize(source, {
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
  const content = DOMPurify.sanitize(source, {
    USE_PROFILES: { html: true, svg: true, svgFilters: true },
    ADD_ATTR: MARKS,
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'img', 'image', 'use', 'foreignObject', 'title'],
    FORBID_ATTR: ['style', 'xlink:href'],
    RETURN_DOM_FRAGMENT: true,
  });
  return { content, sheet: sheetOf(style) };
}

DOMPurify.addHook('uponSanitizeAttribute', (node, data) => {
  // Names are written in their owners' colours; set by script, they pass the policy.
  if (data.attrName === 'style') {
    const color = COLOR.exec(data.attrValue)?.[1];
    if (color && node instanceof Element) node.setAttribute('data-ink', color);
  }
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
