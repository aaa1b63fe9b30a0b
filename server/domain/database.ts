/** What those who call the domain open, hand through and commit, without looking inside. */
export type { Database, Transaction } from '../store/database.ts'
