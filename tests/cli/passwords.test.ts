import { describe, expect, it } from 'vitest'
import { passwordRules } from '../../server/domain/people/password_rules.ts'

const EMAIL = 'wilhelmina@northshore.example'
const complaintAbout = await passwordRules()

describe('a new password is refused:', () => {
  it.each([
    ['too short', 'Xk9-vQe', /at least 8/],
    ['longer than the maximum', 'x7'.repeat(501), /at most 1000/],
    ['a common password', 'password', /common, so attackers/],
    ['a common password of digits', '12345678', /sequence/],
    ['a common password in capitals', 'PaSsWoRd', /common, so attackers/],
    ['a common password in full-width letters', 'ｐａｓｓｗｏｒｄ', /common, so attackers/],
    ['a common password followed by digits and a mark', 'Sunshine2026!', /common, so attackers/],
    ['a common password after digits', '007dragon', /common, so attackers/],
    ['one repeated character', 'aaaaaaaaaaaa', /repeats one character/],
    ['two alternating characters', '01010101010101', /repeats one character/],
    ['a keyboard row', 'qwertyuiop', /sequence/],
    ['the alphabet backwards', 'zyxwvutsrqponm', /sequence/],
    ['the email address', EMAIL, /email address/],
    ['the name in the email address', 'Wilhelmina', /email address/],
    ['the name in the email address with a year', 'wilhelmina1984', /email address/],
  ])('%s', (_what, password, words) => {
    expect(complaintAbout(password, EMAIL)).toMatch(words)
  })
})

describe('a new password is accepted:', () => {
  it.each([
    'correct horse battery staple',
    'Käpt’n Blaubär 7',
    'tr0ub4dor&3-lighthouse',
    '船着き場の朝は静かだった',
    '9f2c1e7ab64d',
  ])('%s', (password) => {
    expect(complaintAbout(password, EMAIL)).toBeUndefined()
  })

  it('one of the maximum length', () => expect(complaintAbout('x7-q'.repeat(250), EMAIL)).toBeUndefined())
})
