import { faultsIn, type Fault } from '../fault.ts'

const syntax = ['formulas/syntax.test.ts', 'formulas/errors.test.ts']
const text = ['formulas/text.test.ts']
const date = ['formulas/date.test.ts']
const limits = ['formulas/limits.test.ts']
const stored = ['formulas/stored_form.test.ts']

/** The formula language: syntax, semantics and limits. */
export const formulas: readonly Fault[] = [
  ...faultsIn('domain/data/formulas/tokens.ts', syntax, [
    [
      'an infinite number is accepted',
      "  if (!Number.isFinite(value)) throw new FormulaFault('the number is too large', start)\n",
      '',
    ],
    ['a tab in a text is kept', "n: '\\n', t: '\\t' }", "n: '\\n' }"],
  ]),
  ...faultsIn(
    'domain/data/formulas/parser.ts',
    [...syntax, ...limits],
    [
      ['powers associate to the left', 'base, exponent: this.#prefix(), offset', 'base, exponent: this.#postfix(), offset'],
      ['a formula may be nested one level deeper', 'if (++this.#nesting > NESTING_MAX)', 'if (this.#nesting++ > NESTING_MAX)'],
    ],
  ),
  ...faultsIn('domain/data/formulas/syntax.ts', syntax, [
    ['equality precedes comparison', "  ['==', '!='],\n  ['>', '>=', '<', '<='],", "  ['>', '>=', '<', '<='],\n  ['==', '!='],"],
  ]),
  ...faultsIn(
    'domain/data/formulas/operators.ts',
    [...syntax, 'formulas/general.test.ts', 'formulas/laws.test.ts'],
    [['comparisons with empty values are true', 'if (order === undefined) return null', 'if (order === undefined) return false']],
  ),
  ...faultsIn(
    'domain/data/formulas/types.ts',
    ['formulas/list.test.ts', ...syntax],
    [
      [
        'properties of a page of two data sources are read by the first',
        'return a.dataSourceId === b.dataSourceId ? a :',
        'return a.dataSourceId !== undefined ? a :',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/formulas/format.ts',
    [...text, ...date, 'formulas/general.test.ts'],
    [
      [
        'a range is written as its start',
        'return date.end === null ? start :',
        'return date.hasTime || date.end === null ? start :',
      ],
    ],
  ),
  ...faultsIn('domain/data/formulas/format_moment.ts', date, [
    ['13th is written as 13rd', 'day > 10 && day < 14', 'day > 10 && day < 13'],
    ['noon is written as 0', 'hour % 12 || 12', 'hour % 12'],
    [
      'an unclosed bracket hides the rest of a format',
      "pattern[offset] === '[' && offset < lastBracket",
      "pattern[offset] === '['",
    ],
  ]),
  ...faultsIn('domain/data/formulas/functions/date.ts', date, [
    [
      'the end of a range is its start',
      'onlyMoment(dateAt(values, 0), endOf)',
      'onlyMoment(dateAt(values, 0), (whole) => whole.start)',
    ],
    [
      'times are written with seconds',
      'singleDate(floorTo(numberAt(values, 0), MINUTE), true)',
      'singleDate(numberAt(values, 0), true)',
    ],
  ]),
  ...faultsIn(
    'domain/data/formulas/functions/general.ts',
    ['formulas/general.test.ts'],
    [['a number with surrounding spaces is not parsed', 'DECIMAL.test(value.trim())', 'DECIMAL.test(value)']],
  ),
  ...faultsIn(
    'domain/data/formulas/functions/list.ts',
    ['formulas/list.test.ts'],
    [
      [
        'lists drop empty values',
        "takingEmpty(define('includes', [arg.list, arg.any], BOOLEAN, includes))",
        "define('includes', [arg.list, arg.any], BOOLEAN, includes)",
      ],
    ],
  ),
  ...faultsIn('domain/data/formulas/functions/characters.ts', text, [
    [
      'a substring may cut a surrogate pair',
      "SURROGATE.test(text) ? charactersOf(text, budget).slice(from, to).join('') : text.slice(from, to)",
      'text.slice(from, to)',
    ],
  ]),
  ...faultsIn(
    'domain/data/formulas/number_formats.ts',
    ['formulas/number.test.ts', ...text],
    [
      [
        'a negative number of decimals is an error',
        'Math.min(DECIMALS_MAX, Math.max(0, Math.trunc(decimals)))',
        'Math.min(DECIMALS_MAX, Math.trunc(decimals))',
      ],
      ['lower-case currency codes are refused', 'format.toUpperCase()', 'format'],
    ],
  ),
  ...faultsIn('domain/data/formulas/regular_expressions.ts', text, [
    ['the last group of a match is ignored', 'if (two >= 1 && two <= groups)', 'if (two >= 1 && two < groups)'],
    [
      'a reference to an unknown group gives an empty text',
      "? (matcher.group(name) ?? '') : whole",
      "? (matcher.group(name) ?? '') : ''",
    ],
  ]),
  ...faultsIn('domain/data/formulas/references.ts', stored, [
    [
      'braces in a name end its reference',
      "else if (!isQuoted && text.startsWith('}}', offset))",
      "else if (text.startsWith('}}', offset))",
    ],
    ['a quote in a name ends it', '/["\\\\\\n\\t]/g', '/[\\\\\\n\\t]/g'],
  ]),
  ...faultsIn('domain/data/formulas/stored_form.ts', stored, [
    ['a formula loses the name of a deleted property', '?.name ?? lastName', "?.name ?? ''"],
  ]),
  ...faultsIn('domain/data/formulas/frame.ts', limits, [
    ['formulas may be one level deeper', 'if (this.#level >= FORMULA_LEVELS_MAX)', 'if (this.#level > FORMULA_LEVELS_MAX)'],
    [
      'a formula may follow one data source too few',
      'if (crossed > DATA_SOURCES_CROSSED_MAX)',
      'if (crossed >= DATA_SOURCES_CROSSED_MAX)',
    ],
  ]),
  ...faultsIn('domain/data/formulas/budget.ts', limits, [
    ['a text of the maximum length is refused', 'if (length > TEXT_LENGTH_MAX)', 'if (length >= TEXT_LENGTH_MAX)'],
    ['a list of the maximum length is refused', 'if (length > LIST_LENGTH_MAX)', 'if (length >= LIST_LENGTH_MAX)'],
  ]),
  ...faultsIn(
    'domain/data/formulas/property_values.ts',
    ['operations/pages/updatePage.row_corners.test.ts', 'operations/data_sources/queryDataSource.computed.test.ts'],
    [['a rollup without a value reads as empty', "throw new Unsupported('a rollup that is read is unsupported')", 'return null']],
  ),
]
