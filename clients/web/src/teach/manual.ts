// Reads the manuals of the games: the part of Markdown that they use.

export type Inline =
  | { is: 'text'; text: string }
  | { is: 'code'; text: string }
  | { is: 'strong'; parts: readonly Inline[] }
  | { is: 'em'; parts: readonly Inline[] }
  | { is: 'link'; to: string; parts: readonly Inline[] };

export type Block =
  | { is: 'paragraph'; parts: readonly Inline[] }
  | { is: 'code'; text: string }
  | { is: 'list'; isNumbered: boolean; items: readonly (readonly Block[])[] }
  | {
      is: 'table';
      head: readonly (readonly Inline[])[];
      rows: readonly (readonly (readonly Inline[])[])[];
    };

export interface Section {
  /** The anchor of the section in the page. */
  id: string;
  /** The level of the heading: 1 for the title of the manual. */
  level: number;
  title: string;
  blocks: readonly Block[];
}

/** The heads of tables about the terminal client. */
const TERMINAL = /^\| (in the terminal|command) \|/;

/** A command in a paragraph. */
const PROGRAM = /`(\.\/play|cli-client) /;

/** Splits a manual into its sections. What is only about the terminal is left out. */
export function readManual(text: string): Section[] {
  const sections: Section[] = [];
  let lines: string[] = [];
  let heading = { level: 1, title: '' };
  const close = () => {
    const { level, title } = heading;
    const id = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const blocks = readBlocks(lines);
    // A heading directly above another one has no text of its own.
    if (title !== '' || blocks.length > 0) sections.push({ id, level, title, blocks });
    lines = [];
  };
  let isCode = false;
  for (const line of text.replace(/<!--.*?-->\n?/gs, '').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const found = isCode ? null : /^(#+) (.*)$/.exec(line);
    if (!found) {
      lines.push(line);
      continue;
    }
    close();
    heading = { level: found[1]?.length ?? 1, title: found[2] ?? '' };
  }
  close();
  return sections;
}

const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)$/;

function readBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const until = (isLast: (line: string) => boolean) => {
      const end = lines.findIndex((each, index) => index > at && isLast(each));
      return end < 0 ? lines.length : end;
    };
    if (line.trim() === '') {
      at += 1;
    } else if (line.startsWith('```')) {
      const end = until((each) => each.startsWith('```'));
      if (line === '```sh' || line === '```console') dropIntroduction(blocks);
      else blocks.push({ is: 'code', text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
    } else if (line.startsWith('    ')) {
      const end = until((each) => each !== '' && !each.startsWith('    '));
      const code = lines.slice(at, end).map((each) => each.slice(4));
      blocks.push({ is: 'code', text: code.join('\n').trimEnd() });
      at = end;
    } else if (line.startsWith('|')) {
      const end = until((each) => !each.startsWith('|'));
      if (!TERMINAL.test(line)) blocks.push(readTable(lines.slice(at, end)));
      at = end;
    } else if (ITEM.test(line)) {
      const end = until((each) => each !== '' && !each.startsWith(' ') && !ITEM.test(each));
      blocks.push(readList(lines.slice(at, end)));
      at = end;
    } else {
      const end = until((each) => each === '' || /^(```|\||[-*] )/.test(each));
      const text = lines.slice(at, end).join(' ');
      if (!PROGRAM.test(text)) blocks.push({ is: 'paragraph', parts: readInline(text) });
      at = end;
    }
  }
  return blocks;
}

/** Removes a paragraph that introduces a left-out command. */
function dropIntroduction(blocks: Block[]): void {
  const last = blocks.at(-1);
  const end = last?.is === 'paragraph' ? last.parts.at(-1) : undefined;
  if (end?.is === 'text' && end.text.endsWith(':')) blocks.pop();
}

function readList(lines: readonly string[]): Block {
  const first = ITEM.exec(lines[0] ?? '');
  const depth = first?.[1]?.length ?? 0;
  const items: string[][] = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && (found[1]?.length ?? 0) <= depth) items.push([found[3] ?? '']);
    else items.at(-1)?.push(line.slice(depth).replace(/^ {1,3}/, ''));
  }
  const isNumbered = /\d/.test(first?.[2] ?? '');
  return { is: 'list', isNumbered, items: items.map(readBlocks) };
}

function readTable(lines: readonly string[]): Block {
  const cells = (line: string) =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => readInline(cell.trim().replaceAll('\\|', '|')));
  const [head = '', , ...rows] = lines;
  return { is: 'table', head: cells(head), rows: rows.map(cells) };
}

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*(.+?)\*|\[([^\]]+)\]\(([^)]+)\)/g;

export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  const add = (plain: string) => {
    if (plain !== '') parts.push({ is: 'text', text: plain });
  };
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [, , code, strong, em, label, to] = found;
    if (code !== undefined) parts.push({ is: 'code', text: code.trim() });
    else if (strong !== undefined) parts.push({ is: 'strong', parts: readInline(strong) });
    else if (em !== undefined) parts.push({ is: 'em', parts: readInline(em) });
    else parts.push({ is: 'link', to: to ?? '', parts: readInline(label ?? '') });
  }
  add(text.slice(from));
  return parts;
}

/** Returns the text of a section without its marks, in lower case, for the search. */
export function plainText({ title, blocks }: Section): string {
  const inline = (part: Inline): string =>
    'parts' in part ? part.parts.map(inline).join('') : part.text;
  const block = (each: Block): string => {
    if (each.is === 'code') return each.text;
    if (each.is === 'paragraph') return each.parts.map(inline).join('');
    if (each.is === 'list') return each.items.flat().map(block).join(' ');
    return [each.head, ...each.rows].flat().flat().map(inline).join(' ');
  };
  return `${title} ${blocks.map(block).join(' ')}`.toLowerCase();
}
