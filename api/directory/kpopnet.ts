import { TypeCompiler } from '@sinclair/typebox/compiler';
import { t } from 'elysia';
import type { FactSource } from '#content/fact-source.ts';
import { languages, type Translated } from '#content/locales.ts';
import { memberRoles } from '#content/member-roles.ts';
import { readAddress } from '../admin/text.ts';
import { BadInput } from '../errors.ts';
import { nullable } from '../shapes.ts';
import type { MemberDocument, StarDocument } from './model.ts';
import { boundRows, type ReadRow, RefusedFile, readRow } from './rows.ts';

/**
 * `kpopnet.json`: what its type definitions promise, of which what we take is checked. Its pictures are addresses of others and its
 * weights nobody's business: neither is read.
 */
const Member = t.Object({ idol_id: t.String(), current: t.Boolean(), roles: nullable(t.String()) });
const Profile = t.Object({
  id: t.String(),
  name: t.String(),
  name_original: t.String(),
  name_alias: nullable(t.String()),
  debut_date: nullable(t.String()),
  urls: t.Array(t.String()),
});
const Group = t.Composite([
  Profile,
  t.Object({
    agency_name: t.String(),
    disband_date: nullable(t.String()),
    members: t.Array(Member),
    parent_id: nullable(t.String()),
  }),
]);
const Idol = t.Composite([
  Profile,
  t.Object({
    real_name: t.String(),
    real_name_original: t.String(),
    birth_date: t.String(),
    height: nullable(t.Number()),
    groups: t.Array(t.String()),
  }),
]);
const KpopnetFile = t.Object({ groups: t.Array(Group), idols: t.Array(Idol) });
type Group = typeof Group.static;
type Idol = typeof Idol.static;
export type KpopnetFile = typeof KpopnetFile.static;

const checker = TypeCompiler.Compile(KpopnetFile);

/** The rows of a parsed `kpopnet.json`, groups first, each with the page that its facts are from. @throws RefusedFile */
export function readKpopnet(json: unknown): ReadRow[] {
  if (!checker.Check(json)) {
    const problem = checker.Errors(json).First();
    throw new RefusedFile(
      'not_kpopnet',
      `The file is no kpopnet.json: ${problem?.path.slice(0, 80) || 'it'} is not what its definition says.`,
    );
  }
  const pages = [...json.groups, ...json.idols].map(({ urls }) => urls[0]);
  boundRows(pages);
  return fromKpopnet(json).map((document, index) => readRow(index + 1, document, sourceOf(pages[index])));
}

/** The documents of a `kpopnet.json`: groups, then people, whose order in a group is kept. */
export function fromKpopnet({ groups, idols }: KpopnetFile): StarDocument[] {
  const idolById = new Map(idols.map((idol) => [idol.id, idol]));
  return [...groups.map((group) => groupDocument(group, idolById)), ...idols.map(idolDocument)];
}

function groupDocument(group: Group, idolById: ReadonlyMap<string, Idol>): StarDocument {
  const endDate = dateOf(group.disband_date);
  return {
    externalIds: { kpopnet: group.id },
    category: 'K-Pop Group',
    words: {
      ko: { name: group.name_original },
      en: { name: group.name, agency: group.agency_name },
    },
    ...aliasesOf(group),
    ...known('debutDate', dateOf(group.debut_date)),
    ...known('endDate', endDate),
    activity: group.disband_date === null ? 'active' : 'ended',
    ...known('parent', group.parent_id && referenceTo(group.parent_id)),
    members: group.members.map(({ idol_id, current, roles }): typeof MemberDocument.static => {
      const idol = idolById.get(idol_id);
      return {
        star: referenceTo(idol_id),
        names: idol ? { ko: idol.name_original, en: idol.name } : {},
        ...known('roles', roles && rolesOf(roles)),
        isFormer: !current,
      };
    }),
  };
}

function idolDocument(idol: Idol): StarDocument {
  return {
    externalIds: { kpopnet: idol.id },
    category: idol.groups.length > 0 ? 'Idol' : 'Solo Artist',
    words: {
      ko: { name: idol.name_original, realName: idol.real_name_original },
      en: { name: idol.name, realName: idol.real_name },
    },
    ...aliasesOf(idol),
    ...known('birthDate', dateOf(idol.birth_date)),
    ...known('debutDate', dateOf(idol.debut_date)),
    ...known('height', idol.height && Math.round(idol.height)),
  };
}

const referenceTo = (id: string) => `kpopnet:${id}`;

/** The page of a star there; what no page may link to is left out. */
function sourceOf(page: string | undefined): FactSource {
  try {
    const url = readAddress(page, 'urls');
    return { name: 'kpopnet', ...(url && { url }) };
  } catch (error) {
    if (error instanceof BadInput) return { name: 'kpopnet' };
    throw error;
  }
}

/** What is not known is left out, so that an import leaves alone what somebody else knew. */
function known<Field extends string, Value>(
  field: Field,
  value: Value | null | undefined | '' | 0,
): { [Key in Field]?: Value } {
  return (value ? { [field]: value } : {}) as { [Key in Field]?: Value };
}

/** `2016-00-00` is a year, `2016-05-00` a month. */
const dateOf = (text: string | null) => text?.replace(/(?:-00){1,2}$/, '');

function aliasesOf({ name_alias }: Pick<Group, 'name_alias'>): { aliases?: string[] } {
  const aliases = (name_alias ?? '').split(',').flatMap((alias) => alias.trim() || []);
  return aliases.length > 0 ? { aliases: [...new Set(aliases)] } : {};
}

/** A role that we have no words for stands as it came, for English readers, who are the fallback of the others. */
function rolesOf(text: string): Partial<Translated> {
  const roles = text.split(',').flatMap((role) => role.trim() || []);
  const translated = roles.flatMap((role) => memberRoles.get(role) ?? []);
  if (translated.length < roles.length) return { en: text };
  const said = languages.map((language) => {
    const between = language === 'ko' ? ' · ' : ', ';
    return [language, translated.map((role) => role[language]).join(between)] as const;
  });
  return Object.fromEntries(said);
}
