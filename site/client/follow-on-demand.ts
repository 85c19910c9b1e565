/** Follow comes for whoever has stars already, else with the first press: a page is often only read. */
import { preferences } from '../stores/preferences.ts';
import { onPress } from './press.ts';
import { sayNotLoaded } from './toast.ts';

const follow = () => import('./follow-later.ts');
onPress('[data-follow]', (button) => void follow().then((it) => it.toggle(button), sayNotLoaded));
preferences.subscribe(({ selectedStarIds: [first] }) => {
  if (first) void follow();
});
