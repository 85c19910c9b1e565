/** The profile's forms work by themselves; here they check as one types and keep this browser's language the same. */
import { isLang } from '#content/locales.ts';
import { fromStorage } from '../../client/storage.ts';
import { chooseLanguage } from '../../stores/preferences.ts';
import { endingKey, letGoOnce, startForms } from './forms.client.ts';
import './own-times.client.ts';
import '../events/Ticket.client.ts';

startForms();
for (const form of document.querySelectorAll<HTMLFormElement>('.account-form')) {
  form.addEventListener('submit', (event) => {
    if (!letGoOnce(form, event)) {
      // What was saved or refused before says nothing of this.
      document.querySelector('.profile-saved')?.remove();
      return;
    }
    const fields = new FormData(form);
    const language = fields.get('language');
    if (isLang(language) && language !== fields.get('languageBefore')) chooseLanguage(language);
  });
}

/** Forms whose success ends the session (`profile-post.ts`). */
const endingForms = ['everywhere', 'delete'];
// This page again: nothing has ended.
fromStorage(() => sessionStorage.removeItem(endingKey));
document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (!(target instanceof HTMLFormElement) || defaultPrevented) return;
  if (endingForms.includes(String(new FormData(target).get('form'))))
    fromStorage(() => sessionStorage.setItem(endingKey, '1'));
});
