const LENGTH_MIN = 8
/** The maximum length of a password, which the sign-in form allows too. */
const LENGTH_MAX = 1_000
const DIFFERENT_MIN = 4
/** Matches digits and symbols around a word: they hardly make a common password harder to guess. */
const DECORATION = /^[\d\W_]+|(?<![\d\W_])[\d\W_]+$/g
const COMMON_LENGTH_MIN = 4
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

const ADVICE = 'Choose one that is hard to guess, such as four unrelated words.'

/**
 * @param email the address of the account
 * @returns the problem with the password, as a sentence; undefined if it is acceptable
 */
type PasswordRules = (password: string, email: string) => string | undefined

/** The rules for new passwords. The list of common passwords is large, so it is loaded only when it is needed. */
export async function passwordRules(): Promise<PasswordRules> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])
  return (password, email) => {
    const length = [...password.slice(0, LENGTH_MAX + 1)].length
    if (length < LENGTH_MIN) return `A password must have at least ${LENGTH_MIN} characters.`
    if (password.length > LENGTH_MAX) return `A password must have at most ${LENGTH_MAX} characters.`
    const plain = password.normalize('NFKC').toLowerCase()
    if (new Set(plain).size < DIFFERENT_MIN || isRun(plain)) return `This password repeats one character or sequence. ${ADVICE}`
    if (isCommon(common, plain)) return `This password is common, so attackers try it first. ${ADVICE}`
    if (isOfAddress(plain, email)) return `This password is derived from the email address. ${ADVICE}`
    return undefined
  }
}

function isCommon(common: ReadonlySet<string>, plain: string): boolean {
  const bare = plain.replaceAll(DECORATION, '')
  return common.has(plain) || (bare.length >= COMMON_LENGTH_MIN && common.has(bare))
}

/** Whether a text is a part of the alphabet, of the digits or of a keyboard row, forwards or backwards. */
function isRun(plain: string): boolean {
  return ROWS.some((row) => row.includes(plain) || [...row].reverse().join('').includes(plain))
}

function isOfAddress(plain: string, email: string): boolean {
  const address = email.trim().toLowerCase()
  const [name = ''] = address.split('@', 1)
  const bare = plain.replaceAll(DECORATION, '')
  return [plain, bare].some((text) => text === address || text === name)
}
