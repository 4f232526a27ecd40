// The choice of the page's language.

import { Select } from '../ui/components';
import { chosenLanguage, LANGUAGES, t } from '../words';

export function LanguageSelect({ id }: { id: string }) {
  return (
    <Select
      id={id}
      value={chosenLanguage.value}
      options={[['', t('account-language-of-browser')], ...LANGUAGES]}
      set={(value) => (chosenLanguage.value = value)}
    />
  );
}
