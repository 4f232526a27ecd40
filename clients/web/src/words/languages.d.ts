/** The languages other than English, from the folders of message files (see fluent.ts). */
declare module 'virtual:languages' {
  export const languages: Readonly<
    Record<string, () => Promise<{ default: import('./messages').Catalog }>>
  >;
}
