/** The focal point by a press on the picture, and crops as they will be while it moves. Without it the sliders alone say it. */

const form = document.querySelector<HTMLFormElement>('form[data-focus]');
const picture = form?.querySelector<HTMLImageElement>('[data-whole]');
const point = form?.querySelector<HTMLElement>('[data-point]');
const across = form?.querySelector<HTMLInputElement>('[name="focusX"]');
const down = form?.querySelector<HTMLInputElement>('[name="focusY"]');
const automatic = form?.querySelector<HTMLInputElement>('[name="focusAuto"]');

if (form && picture && point && across && down && automatic) {
  const crops = [...form.querySelectorAll<HTMLImageElement>('[data-crop]')];
  const madeCrops = new Map(crops.map((crop) => [crop, crop.src]));

  const show = () => {
    point.hidden = automatic.checked;
    point.style.left = `${across.value}%`;
    point.style.top = `${down.value}%`;
    for (const crop of crops) {
      crop.src = automatic.checked ? (madeCrops.get(crop) ?? crop.src) : picture.src;
      crop.style.objectPosition = `${across.value}% ${down.value}%`;
    }
  };
  const choose = () => {
    automatic.checked = false;
    show();
  };
  across.addEventListener('input', choose);
  down.addEventListener('input', choose);
  automatic.addEventListener('change', show);
  picture.addEventListener('click', ({ offsetX, offsetY }) => {
    across.value = String(Math.round((100 * offsetX) / picture.clientWidth));
    down.value = String(Math.round((100 * offsetY) / picture.clientHeight));
    choose();
  });
  if (!automatic.checked) show();
}
