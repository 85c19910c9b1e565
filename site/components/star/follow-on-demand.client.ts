/** Follow comes for whoever has stars already, else with the first press: a page is often only read. */

import { onPress } from '../../client/press.ts';
import { showLoadFailure } from '../../client/toast.ts';
import { favourites } from '../../stores/favourites.ts';

const follow = () => import('./follow-later.client.ts');
onPress('[data-follow]', (button) => void follow().then((it) => it.toggle(button), showLoadFailure));
favourites.subscribe(({ length }) => {
  if (length > 0) void follow();
});
