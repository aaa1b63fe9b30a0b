import { expect, it } from 'vitest'
import { readOutput } from './output.ts'

const OF_PROGRAM = `noise before
ok User.List
not ok Search.Do: unsupported property type: place
ok Page.Get, unknown
`

const OF_CARGO = `running 3 tests
test reads::get_page ... ok
test reads::get_view ... FAILED
test reads::get_task ... ignored

failures:

---- reads::get_view stdout ----
Error: Http { status: 404 }

failures:
    reads::get_view

test result: FAILED. 1 passed; 1 failed; 1 ignored
`

const OF_PHPUNIT = `Pages (Pages)
 ✔ Create empty page
 ✘ Find page
   │
   │ Failed asserting that 400 is 200.
   │

 ↩ Find later
`

it.each([
  ['a program', OF_PROGRAM, ['User.List', 'Page.Get, unknown'], { 'Search.Do': 'unsupported property type: place' }],
  ['cargo', OF_CARGO, ['reads::get_page'], { 'reads::get_view': 'Error: Http { status: 404 }' }],
  ['PHPUnit', OF_PHPUNIT, ['Create empty page'], { 'Find page': 'Failed asserting that 400 is 200.' }],
  ['a run without test output', 'It is not ok.\nThe test of ok ... ok\n', [], {}],
])('passed tests, failed tests and reasons are read from the output of %s', (_what, output, passed, failed) => {
  const tried = readOutput(output)
  expect(tried.flatMap(({ name, fault }) => (fault === undefined ? [name] : []))).toStrictEqual(passed)
  const faults = tried.flatMap(({ name, fault }) => (fault === undefined ? [] : [[name, fault]]))
  expect(Object.fromEntries(faults)).toStrictEqual(failed)
})
