import { PLACES_NAMED_MAX } from './violations.ts'

/** A value with more errors than this is left with only those that an answer would name. The limit is high, so that they rarely need sorting. */
const ERRORS_MAX = 256

const JOIN = /vErrors = vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\);/g
const LOOP = /for\((?:let (i\d+)=0; \1<len\d+; \1\+\+|const (key\d+) in data\d*)\)\{/g
const UNKNOWN_KEYS =
  /(for\(const (key\d+) in (data\d*)\)\{(?:if\(![^{}]*\)\{)?)(const err\d+ = \{instancePath[^{}]*,keyword:"additionalProperties",params:\{additionalProperty: \2\})/g
const END = /(validate\d+)\.errors = vErrors;/g

/**
 * Rewrites validators that Ajv generated, so that validation takes linear time however many errors a body has. Ajv's code validates all
 * elements of a list even if the list is too long, and copies all errors found so far for each element. The rewritten code appends to one
 * list of errors, leaves a loop after the last invalid member that an answer could name, and returns only errors that an answer could name.
 * It needs `collecting` at run time (see `Collecting`).
 * @throws Error if Ajv's code does not have the expected form
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

/** @param at offset of the loop in `code` */
function boundedLoop(loop: string, index: string | undefined, key: string | undefined, at: number, code: string): string {
  if (isOverUnknownKeys(code, at) || leavesAtFirst(code, at + loop.length)) return loop
  const [faulty, before] = [`faulty_${index ?? key}`, `before_${index ?? key}`]
  const forget = `if(${faulty} === ${PLACES_NAMED_MAX}){vErrors.length = errors = ${before};}`
  const keep = `${before} = errors;if(++${faulty} === ${PLACES_NAMED_MAX} && !collecting.visitsAll)break;`
  return `let ${faulty} = 0;let ${before} = errors;${loop}if(errors !== ${before}){${forget}else {${keep}}}`
}

/** Whether a loop only reports unknown keys. */
function isOverUnknownKeys(code: string, at: number): boolean {
  const pattern = new RegExp(UNKNOWN_KEYS, 'y')
  pattern.lastIndex = at
  return pattern.test(code)
}

/** Whether a loop only tests if all keys are valid, as loops inside `not` and `if` do: its errors are empty, and it ends at the first. */
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
  if (!isKnown) throw new Error('Ajv generates code of an unknown form: adapt bounded_code.ts to it')
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}
