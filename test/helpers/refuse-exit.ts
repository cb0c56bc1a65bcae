/**
 * Farm ends its process when a build fails. Vitest 4.1 prevents that only in the first file of a
 * worker, if files share workers.
 */
process.exit = (code) => {
  throw new Error(`process.exit was called with ${code}`)
}
