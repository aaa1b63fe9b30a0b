/**
 * Confusing words, as regular expressions, and their replacements. They match whole words, in upper or lower case.
 * @type {Readonly<Record<string, string>>}
 */
export const WORDS = {
  // unusual phrases
  anew: 'again',
  'answered with': 'returns',
  'as good as none': 'an empty one',
  'at the most': 'at most',
  '(?:carry|carries|carried|carrying) out': 'execute, run',
  'for good': 'permanently',
  '(?:go|goes|going|went) on': 'continue, resume',
  '(?:hold|holds|held) against': 'check against',
  'inside of': 'inside, in',
  '(?<!there )is none': 'is not',
  '(?<!there )is no(?! longer)': 'is not a',
  'nothing but': 'only',
  'of its own accord': 'automatically',
  '(?:tell|tells|told) of': 'report, list',
  'told by': 'according to',
  whatsoever: 'at all',
  // words for which the project has a term
  'the app': 'what is meant: people, the workspace',
  asker: 'caller',
  'e-mail': 'email',
  'mend(?:s|ed|ing)?': 'fix',
  misspelt: 'misspelled',
  'request budgets?': 'rate limit',
  requester: 'caller',
  whoever: 'the user who, anyone who',
  // British spellings
  '(?:behavi|col|fav|hon|lab|neighb)our\\w*': 'the American spelling',
  '(?:catalogue|centre|grey|licence|metre|programme)s?': 'the American spelling',
  '(?:analy|authori|initiali|normali|optimi|organi|reali|recogni|seriali|summari|synchroni)s(?:e|ed|es|ing|ation)':
    'the American spelling',
}

const EXPRESSIONS = Object.entries(WORDS).map(([words, instead]) => ({
  expression: new RegExp(`\\b(?:${words})\\b`, 'gi'),
  instead,
}))
const ANY = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'i')

/** Code and link targets, which are not prose. */
const NOT_PROSE = /^ *```.*?^ *```$|``.+?``|`[^`]*`|(?<=\])\([^)]*\)|https?:\/\/\S+|<!--.*?-->/gms

/**
 * The words of a Markdown text that must be replaced, with their positions.
 * @param {string} markdown
 * @returns {{ index: number, message: string }[]}
 */
export function unplainWords(markdown) {
  if (!ANY.test(markdown)) return []
  const prose = markdown.replace(NOT_PROSE, (code) => code.replace(/[^\n]/g, ' '))
  return EXPRESSIONS.flatMap(({ expression, instead }) =>
    [...prose.matchAll(expression)].map(({ index, 0: word }) => ({ index, message: `“${word}”: write ${instead}` })),
  ).toSorted((a, b) => a.index - b.index)
}
