import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  complaints,
  EXCEPTIONS,
  expressionsOfCode,
  expressionsOfContract,
  isException,
  needsAnalysis,
  RECORD,
  recorded,
  recordedExpressions,
} from './support/linear_time.ts'

// The result of an analysis depends on the expression alone, so `npm test` analyzes those that are not in the record. To record:
// `RECORD_EXPRESSIONS=true npx vitest run --mode all tests/style/regular_expressions`.
const all = [...expressionsOfCode(), ...expressionsOfContract()]
const analyzed = all.filter((expression) => needsAnalysis(expression) && !isException(expression))

it('every regular expression takes linear time, including recorded ones', { timeout: 600_000 }, async () => {
  const different = [...new Map(analyzed.map((expression) => [recorded(expression), expression])).values()]
  expect(await complaints(different)).toStrictEqual([])
  const record = different.map(recorded).toSorted()
  if (process.env['RECORD_EXPRESSIONS']) writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)
  const ofUse = new Set(record)
  expect([...recordedExpressions()].filter((one) => !ofUse.has(one))).toStrictEqual([])
})

it('every exception is a regular expression that the analysis reports', async () => {
  const needed = await Promise.all(
    EXCEPTIONS.map((exception) =>
      complaints(
        all.filter((expression) => isException(expression, [exception])),
        2_000,
      ),
    ),
  )
  expect(EXCEPTIONS.filter((_exception, index) => needed[index]?.length === 0)).toStrictEqual([])
})
