import { PLACES_NAMED_MAX } from './violations.ts'

/** A node with more errors than this keeps those that an answer names. Far more than it names, so that sorting them is rare. */
const ERRORS_MAX = 256

const JOIN = /vErrors = vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\);/g
const LOOP = /for\((?:let (i\d+)=0; \1<len\d+; \1\+\+|const (key\d+) in data\d*)\)\{/g
const UNKNOWN_KEYS =
  /(for\(const (key\d+) in (data\d*)\)\{(?:if\(![^{}]*\)\{)?)(const err\d+ = \{instancePath[^{}]*,keyword:"additionalProperties",params:\{additionalProperty: \2\})/g
const END = /(validate\d+)\.errors = vErrors;/g

/**
 * Code that Ajv made, changed so that a body costs one walk, however many faults it has. As made, it continues after a list that is
 * too long, and copies all errors found so far for each element. Changed, lists of errors grow in place; a list or a map is left
 * behind the last faulty member that an answer could name; and each function hands up only what an answer could name. The code then
 * needs `collecting` (see `Collecting`).
 * @throws Error when Ajv's code is not as it is known here
 */
export function boundedCode(code: string): string {
  requireKnown(code)
  return code
    .replaceAll(JOIN, (_all, validator: string) => `vErrors = collecting.join(vErrors, ${validator});`)
    .replaceAll(LOOP, boundedLoop)
    .replaceAll(UNKNOWN_KEYS, (_all, loop: string, key: string, object: string, error: string) => {
      const passes = `collecting.passesOver(${object}, ${key}, errors - before_${key})`
      return `const before_${key} = errors;${loop}if(${passes})continue;${error}`
    })
    .replaceAll(
      END,
      (_all, validator: string) =>
        `${validator}.errors = errors > ${ERRORS_MAX} ? collecting.named(vErrors, data, instancePath) : vErrors;`,
    )
}

/** @param at where the loop begins in `code` */
function boundedLoop(loop: string, index: string | undefined, key: string | undefined, at: number, code: string): string {
  if (isOverUnknownKeys(code, at) || leavesAtFirst(code, at + loop.length)) return loop
  const [faulty, before] = [`faulty_${index ?? key}`, `before_${index ?? key}`]
  const forget = `if(${faulty} === ${PLACES_NAMED_MAX}){vErrors.length = errors = ${before};}`
  const keep = `${before} = errors;if(++${faulty} === ${PLACES_NAMED_MAX} && !collecting.visitsAll)break;`
  return `let ${faulty} = 0;let ${before} = errors;${loop}if(errors !== ${before}){${forget}else {${keep}}}`
}

/** Whether a loop reports unknown keys and does nothing else. */
function isOverUnknownKeys(code: string, at: number): boolean {
  const pattern = new RegExp(UNKNOWN_KEYS, 'y')
  pattern.lastIndex = at
  return pattern.test(code)
}

/** Whether a loop only asks if all names are good, as those inside `not` and `if` do: its errors are empty, and the first ends it. */
function leavesAtFirst(code: string, inside: number): boolean {
  const [, before] = /^const (_errs\d+) = errors;/.exec(code.slice(inside, inside + 100)) ?? []
  if (before === undefined) return false
  const verdict = code.indexOf(`= ${before} === errors;if(!`, inside)
  return /^[^{]*\{const err\d+ = \{\};[^{}]*\{[^{}]*\}else \{[^{}]*\}errors\+\+;break;/.test(code.slice(verdict, verdict + 300))
}

function requireKnown(code: string): void {
  const isKnown =
    count(code, JOIN) === count(code, /\.concat\(/g) &&
    count(code, LOOP) === count(code, /\b(?:for|while)\(|\bdo\{/g) &&
    count(code, UNKNOWN_KEYS) === count(code, /keyword:"(?:additional|unevaluated)(?:Properties|Items)"/g) &&
    count(code, END) === count(code, /\bfunction validate\d+\(/g)
  if (!isKnown) throw new Error('Ajv makes other code than the one that is known: see bounded_code.ts')
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}
