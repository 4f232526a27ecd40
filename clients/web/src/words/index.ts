// The texts of the page, and helpers that format times, seats and other data as text.

export * from './format';
export {
  chosenLanguage,
  LANGUAGES,
  language,
  locale,
  number,
  rich,
  startLanguage,
  t,
} from './messages';
