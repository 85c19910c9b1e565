import postcss, { type AtRule, type ChildNode, type Container } from 'postcss';

/** A selector with the classes and elements that it names. */
interface Selector {
  text: string;
  classes: readonly string[];
  elements: readonly string[];
}

interface StyleRule {
  selectors: readonly Selector[];
  declarations: readonly Statement[];
}

/** A declaration, or an at-rule that is taken whole. */
interface Statement {
  css: string;
  /** The custom property that it declares. */
  customProperty?: string;
  /** Custom properties that its value refers to. */
  references: readonly string[];
}

/** `@media`, `@layer`, `@supports` or `@container` with what stands in it. */
interface Group {
  prelude: string;
  children: readonly Rule[];
}

type Rule = StyleRule | Statement | Group;

/** The parts of style sheets that may be critical: what a narrow screen paints before anybody touches it. */
export type Rules = readonly Rule[];

/** What a piece of HTML has of classes and elements. */
export interface Names {
  classes: ReadonlySet<string>;
  elements: ReadonlySet<string>;
}

/** Windows from this width on, in rem, are not a phone's. */
export const wideFrom = 48;

/** @param css one or more style sheets behind one another, as they are cascaded */
export const parseRules = (css: string): Rules => rulesOf(postcss.parse(css));

const groups = /^(?:media|supports|layer|container)$/;

const rulesOf = (container: Container): Rule[] =>
  (container.nodes ?? []).flatMap((node): Rule[] => {
    if (node.type === 'rule') {
      const selectors = node.selectors.filter((text) => !interaction.test(text)).map(selectorOf);
      return [{ selectors, declarations: node.nodes.flatMap(declarationOf) }];
    }
    if (node.type !== 'atrule' || node.name === 'keyframes') return [];
    if (node.name === 'media' && !isForPhones(node.params)) return [];
    if (!node.nodes || !groups.test(node.name)) return [statementOf(node)];
    return [{ prelude: `@${node.name} ${node.params}`, children: rulesOf(node) }];
  });

/** Neither paper nor a wide window, nor what asks whether things may move or for high contrast: both wait for the style sheets. */
function isForPhones(query: string): boolean {
  const [, least = 0] = query.match(/(?:width\s*>=|min-width:)\s*([\d.]+)rem/) ?? [];
  return !/\bprint\b|prefers-reduced-motion|forced-colors/.test(query) && Number(least) < wideFrom;
}

const statementOf = (node: AtRule): Statement => ({
  css: `${node.toString()}${node.nodes ? '' : ';'}`,
  references: referencesIn(node.toString()),
  ...(node.name === 'property' ? { customProperty: node.params } : {}),
});

function declarationOf(node: ChildNode): Statement[] {
  if (node.type !== 'decl' || /^(?:transition|animation)/.test(node.prop)) return [];
  const declaredProperty = node.prop.startsWith('--') ? { customProperty: node.prop } : {};
  return [{ css: `${node.toString()};`, references: referencesIn(node.value), ...declaredProperty }];
}

const referencesIn = (css: string): string[] =>
  [...css.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name);

/** States that a finger or a mouse makes: before one is there, so are the style sheets. */
const interaction = /:(?:hover|active)\b|::(?:backdrop|selection)\b/;
const partOfField = /::?(?:-webkit-|-moz-|file-|placeholder)/;

/** What a selector asks of states and attributes counts as met. */
function selectorOf(text: string): Selector {
  let plain = text.replace(/\[[^\]]*\]/g, '');
  for (let previous = ''; previous !== plain; ) {
    previous = plain;
    plain = plain.replace(/:[\w-]+\([^()]*\)/g, '');
  }
  const classes = [...plain.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) =>
    name.replaceAll('\\', ''),
  );
  const elements = [...plain.matchAll(/(?:^|[\s>+~])([a-z][\w-]*)/g)].map(([, name = '']) => name);
  return { text, classes, elements: partOfField.test(plain) ? [...elements, 'input'] : elements };
}

/** The elements that rules ask for. */
export const elementsIn = (rules: Rules): string[] =>
  rules.flatMap((rule) => {
    if ('children' in rule) return elementsIn(rule.children);
    return 'selectors' in rule ? rule.selectors.flatMap(({ elements }) => elements) : [];
  });

/** The CSS of the rules that match some of these names, with the custom properties it refers to, directly or by another one. */
export function matchingCss(rules: Rules, names: Names): string {
  const matching = match(rules, names);
  const usedProperties = new Set<string>();
  const statements = statementsIn(matching);
  for (let size = -1; size !== usedProperties.size; ) {
    size = usedProperties.size;
    for (const { customProperty, references } of statements)
      if (customProperty === undefined || usedProperties.has(customProperty))
        for (const name of references) usedProperties.add(name);
  }
  return serialize(matching, usedProperties);
}

const match = (rules: Rules, names: Names): Rule[] =>
  rules.flatMap((rule): Rule[] => {
    if ('children' in rule) return [{ ...rule, children: match(rule.children, names) }];
    if (!('selectors' in rule)) return [rule];
    const selectors = rule.selectors.filter(
      ({ classes, elements }) =>
        classes.every((name) => names.classes.has(name)) &&
        elements.every((name) => names.elements.has(name)),
    );
    return selectors.length > 0 ? [{ ...rule, selectors }] : [];
  });

const statementsIn = (rules: Rules): Statement[] =>
  rules.flatMap((rule) => {
    if ('children' in rule) return statementsIn(rule.children);
    return 'selectors' in rule ? rule.declarations : [rule];
  });

const serialize = (rules: Rules, usedProperties: ReadonlySet<string>): string =>
  rules.map((rule) => cssOf(rule, usedProperties)).join('');

function cssOf(rule: Rule, usedProperties: ReadonlySet<string>): string {
  if ('css' in rule) {
    const { css, customProperty } = rule;
    return customProperty === undefined || usedProperties.has(customProperty) ? css : '';
  }
  if ('selectors' in rule) {
    const declarations = serialize(rule.declarations, usedProperties);
    return declarations && `${rule.selectors.map(({ text }) => text).join()}{${declarations}}`;
  }
  const children = serialize(rule.children, usedProperties);
  if (children) return `${rule.prelude}{${children}}`;
  // An empty layer has its place in the order of layers.
  return rule.prelude.startsWith('@layer') ? `${rule.prelude};` : '';
}
