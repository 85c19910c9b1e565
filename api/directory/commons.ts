import { config } from '../config.ts';
import { parseAddress } from '../web-address.ts';
import { lineOf, own } from './wikibase.ts';
import type { CommonsPicture } from './wikidata-model.ts';
import type { AskWiki } from './wikimedia.ts';

/** A picture of Commons, or why it cannot be taken. */
export type CommonsAnswer = { picture: CommonsPicture } | { refused: keyof typeof commonsRefusals };

/** One of the widths in which Wikimedia keeps pictures, larger than the largest that pages show; originals may be of any size. */
const width = 1920;

export const commonsName = 'Wikimedia Commons';

/** Why a picture of Commons is not taken, in words. */
export const commonsRefusals = {
  missing: 'Commons has no picture of this name.',
  not_free: 'The picture is under no licence that lets anybody show it.',
  no_credit: 'Commons does not say whose picture it is.',
} as const;

/**
 * Licences that let anybody show and cut a picture, as Commons writes their codes or short names. Those that forbid commerce or
 * changes are none of them, nor is anything unknown.
 */
const freeLicences = [
  /^cc0(?:-1\.0)?$|^cc-zero$/,
  /^pd(?:-|$)|^public-domain$/,
  /^cc-by(?:-sa)?-\d(?:\.\d)?(?:-[a-z]{2,5})?$/,
  /^kogl-?(?:type-?)?1$/,
];

/**
 * Asks Commons for a picture with its author and licence, by the name of its file.
 * @throws Unavailable
 */
export async function findCommonsPicture(ask: AskWiki, fileName: string): Promise<CommonsAnswer> {
  const answer = await ask(
    { name: commonsName, baseUrl: config().commonsBaseUrl },
    {
      action: 'query',
      titles: `File:${fileName}`,
      redirects: '1',
      prop: 'imageinfo',
      iiprop: 'url|size|mime|extmetadata',
      iiurlwidth: String(width),
      iiextmetadatalanguage: 'en',
      iiextmetadatafilter: 'Artist|Credit|Attribution|License|LicenseShortName|LicenseUrl|NonFree',
    },
  );
  const info = imageInfo(answer);
  const url = addressOf(own(info, 'thumburl')) ?? addressOf(own(info, 'url'));
  if (url === undefined) return { refused: 'missing' };
  const { commonsBaseUrl } = config();
  const page =
    addressOf(own(info, 'descriptionurl')) ?? `${commonsBaseUrl}/wiki/File:${encodeURIComponent(fileName)}`;
  const metadata = own(info, 'extmetadata');
  const lineOfMetadata = await metadataLines(metadata);
  const licence = freeLicence(lineOfMetadata);
  if (licence === undefined) return { refused: 'not_free' };
  const author = lineOfMetadata('Artist') ?? lineOfMetadata('Credit');
  const credit = lineOfMetadata('Attribution') ?? author;
  if (author === undefined || credit === undefined) return { refused: 'no_credit' };
  const licenceUrl = addressOf(own(own(metadata, 'LicenseUrl'), 'value'));
  return {
    picture: { file: fileName, url, page, author, credit, licence, ...(licenceUrl ? { licenceUrl } : {}) },
  };
}

/** The pages of an answer are a list, or a table by their numbers in the first format of the API. */
function imageInfo(answer: unknown): unknown {
  const pages = own(own(answer, 'query'), 'pages');
  const [page] = Array.isArray(pages) ? pages : Object.values(Object(pages));
  const infos = own(page, 'imageinfo');
  return Array.isArray(infos) ? infos[0] : undefined;
}

type LineOfMetadata = (name: string, maxLength?: number) => string | undefined;

/** Values of the file's description as one line each, as long as a credit may be; they are markup of anybody's making. */
async function metadataLines(metadata: unknown): Promise<LineOfMetadata> {
  // It brings a parser of documents along, which the site's processes need for nothing else.
  const { oneLine } = await import('../newsroom/text.ts');
  return (name, maxLength = 120) => {
    const markup = own(own(metadata, name), 'value');
    return typeof markup === 'string' && markup.length <= 20_000
      ? lineOf(oneLine(markup), maxLength)
      : undefined;
  };
}

/** The licence by the name that people read; undefined when it is not surely free. */
function freeLicence(lineOfMetadata: LineOfMetadata): string | undefined {
  const shortName = lineOfMetadata('LicenseShortName', 80);
  const code = lineOfMetadata('License', 80) ?? shortName;
  const isNonFree = lineOfMetadata('NonFree') !== undefined;
  const isFree = freeLicences.some((licence) =>
    licence.test((code ?? '').toLowerCase().replace(/[\s_]+/g, '-')),
  );
  return isFree && !isNonFree ? (shortName ?? code?.toUpperCase()) : undefined;
}

function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 1_000) return undefined;
  const text = value.startsWith('//') ? `https:${value}` : value;
  const url = parseAddress(text);
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : undefined;
}
