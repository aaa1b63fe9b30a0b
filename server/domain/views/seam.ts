import type { WriteScope } from '../scope.ts'

/**
 * What views do when something happens to databases and data sources. Views themselves are not served yet, so that nothing
 * happens here for now.
 */

/** A table view that shows a data source in a database, as its last tab: `Default view` for the first one. */
export async function addTableView(_scope: WriteScope, _databaseId: string, _dataSourceId: string): Promise<void> {}

/** Views forget columns that are gone (contract/databases.md 14.13). */
export async function forgetProperties(
  _scope: WriteScope,
  _dataSourceId: string,
  _propertyIds: readonly string[],
): Promise<void> {}
