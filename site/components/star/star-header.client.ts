// A module of its own, for its effect: it comes with the first scroll.
export {};

/** On phones the header is transparent over the hero; past it, it takes the page's ground and the star's name (look §7). */
const hero = document.querySelector<HTMLElement>('[data-hero]');
const tagline = document.querySelector('.header-tagline');

if (hero && tagline) {
  const words = tagline.textContent;
  new IntersectionObserver(
    ([entry]) => {
      const past = entry ? !entry.isIntersecting : false;
      document.documentElement.toggleAttribute('data-past-hero', past);
      tagline.textContent = past && innerWidth < 768 ? (hero.dataset.hero ?? words) : words;
    },
    { rootMargin: '-64px 0px 0px' },
  ).observe(hero);
}
