/** Forms of accounts that the browser sends by itself: they check as one types, and wrong ones stay. */
import { letGoOnce, startForms } from './forms.client.ts';
import { carryTypedFields } from './typed-fields.client.ts';

startForms();
carryTypedFields();
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-plain]')) {
  form.addEventListener('submit', (event) => letGoOnce(form, event));
}
