import { describe, expect, test } from 'bun:test';
import { embedPlatforms } from '#content/embed-platforms.ts';
import { linkStars } from '#site/lib/articles/link-stars.ts';
import { clockDuration, playerAddress } from '#site/lib/embeds/embeds.ts';
import { safeAddress, webAddress } from '#site/lib/routes/outside-addresses.ts';

describe('durations', () => {
  test('an ISO duration reads like a clock', () => {
    expect(clockDuration('PT42S')).toBe('0:42');
    expect(clockDuration('PT1M8S')).toBe('1:08');
    expect(clockDuration('PT1M08S')).toBe('1:08');
    expect(clockDuration('PT12M')).toBe('12:00');
    expect(clockDuration('PT1H2M3S')).toBe('1:02:03');
    expect(clockDuration('P1DT1S')).toBe('24:00:01');
  });

  test('what is no duration shows none', () => {
    for (const text of [undefined, '', 'PT', 'P', 'PT0S', '42', '1:08', 'PT1.5S', 'PTS']) {
      expect(clockDuration(text)).toBeUndefined();
    }
  });
});

describe('players', () => {
  test('every platform is asked at the host that keeps least', () => {
    expect(playerAddress('youtube', 'byeoldemo01', 'video')).toStartWith(
      'https://www.youtube-nocookie.com/embed/byeoldemo01?autoplay=1',
    );
    expect(playerAddress('twitter', '1234567890', 'post')).toStartWith(
      'https://platform.twitter.com/embed/Tweet.html?',
    );
    expect(playerAddress('instagram', 'abcDEF_1', 'reel')).toBe(
      'https://www.instagram.com/reel/abcDEF_1/embed/',
    );
    expect(playerAddress('tiktok', '7234567890', 'video')).toBe('https://www.tiktok.com/embed/v2/7234567890');
    expect(playerAddress('spotify', '4uLU6hMCjMI75M1A2', 'track')).toBe(
      'https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2',
    );
  });

  test('an id that leads elsewhere has no player', () => {
    for (const id of [
      '../../evil',
      'a/b?c=d&e',
      '"><script>',
      'byeoldemo01?x',
      '',
      'byeoldemo01 ',
      'a'.repeat(65),
    ]) {
      for (const platform of embedPlatforms) {
        expect(playerAddress(platform, id, 'video')).toBeUndefined();
      }
    }
    expect(playerAddress('spotify', 'byeoldemo', '../track')).toBeUndefined();
    expect(playerAddress('vimeo', 'byeoldemo', 'video')).toBeUndefined();
    expect(playerAddress('constructor', 'byeoldemo', 'video')).toBeUndefined();
  });

  test('only an https address is a link', () => {
    expect(safeAddress('https://example.com/a')).toBe('https://example.com/a');
    for (const address of [
      'http://example.com',
      'javascript:alert(1)',
      '//example.com',
      'https:evil',
      'https://a b',
    ]) {
      expect(safeAddress(address)).toBeUndefined();
    }
  });

  test('a source or shop is a link when a browser can open it', () => {
    expect(webAddress('http://example.com/a')?.href).toBe('http://example.com/a');
    for (const address of ['javascript:alert(1)', '//example.com', 'example.com', '', null])
      expect(webAddress(address)).toBeUndefined();
  });
});

describe('stars in a body', () => {
  const bell = { name: '노선', path: '/ko/star/18' };
  const group = { name: 'PADOBAN', path: '/en/star/1' };

  test('the first mention in a paragraph becomes a link, later ones stay words', () => {
    expect(linkStars('<h2>노선</h2><p>노선은 왔다.</p><p>노선도 갔다.</p>', [bell])).toBe(
      '<h2>노선</h2><p><a class="star-link" href="/ko/star/18">노선</a>은 왔다.</p><p>노선도 갔다.</p>',
    );
    expect(linkStars('<p>PADOBAN’s sea</p>', [group])).toBe(
      '<p><a class="star-link" href="/en/star/1">PADOBAN</a>’s sea</p>',
    );
  });

  test('each star of a sentence becomes a link, wherever it stands, and none within another’s name', () => {
    const stars = ['하루', '지아', 'Moon', 'Moon River'].map((name, place) => ({
      name,
      path: `/ko/star/${place}`,
    }));
    const link = (name: string) =>
      `<a class="star-link" href="${stars.find((star) => star.name === name)?.path}">${name}</a>`;
    expect(linkStars('<p>지아와 하루가 만났다. 지아는 갔다.</p>', stars)).toBe(
      `<p>${link('지아')}와 ${link('하루')}가 만났다. 지아는 갔다.</p>`,
    );
    expect(linkStars('<p>Moon River, Moon and Moon River</p>', stars)).toBe(
      `<p>${link('Moon River')}, ${link('Moon')} and Moon River</p>`,
    );
    // Nor where the longer name is linked already.
    expect(linkStars('<p>Moon River is back. <b>Moon River</b> sang.</p><p>Moon too</p>', stars)).toBe(
      `<p>${link('Moon River')} is back. <b>Moon River</b> sang.</p><p>${link('Moon')} too</p>`,
    );
  });

  test('a name is found as HTML writes it', () => {
    const stars = ['R&B', 'amp'].map((name) => ({ name, path: '/en/star/2' }));
    expect(linkStars('<p>&amp; R&amp;B’s night</p>', stars)).toBe(
      '<p>&amp; <a class="star-link" href="/en/star/2">R&amp;B</a>’s night</p>',
    );
  });

  test('a longer word, a link and a tag are left alone', () => {
    for (const html of [
      '<p>노선표를 봤다.</p>',
      '<p>새노선 발표</p>',
      '<p><a href="/x">노선은</a></p>',
      '<p>SUPERPADOBAN</p>',
      '<p><img alt="PADOBAN"></p>',
    ]) {
      expect(linkStars(html, [bell, group])).toBe(html);
    }
  });
});
