/** The profile's forms work by themselves; here they check as one types and keep this browser's language the same. */
import { isLang } from '#content/locales.ts';
import { chooseLanguage } from '../../stores/preferences.ts';
import { check, startForms } from './forms.client.ts';
import '../events/Ticket.client.ts';

startForms();
for (const form of document.querySelectorAll<HTMLFormElement>('.account-form')) {
  form.addEventListener('submit', (event) => {
    if (!check(form)) {
      event.preventDefault();
      // What was saved or refused before says nothing of this.
      document.querySelector('.profile-saved')?.remove();
      return;
    }
    const fields = new FormData(form);
    const language = fields.get('language');
    if (isLang(language) && language !== fields.get('languageBefore')) chooseLanguage(language);
  });
}
