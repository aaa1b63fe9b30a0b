/** For callers of the domain, which open databases and pass on transactions without using them directly. */
export type { Database, Transaction } from '../../store/database.ts'
