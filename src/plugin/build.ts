// What a plugin loads when a build or a dev server begins: a start of the bundler needs none of it.
export { changedContracts } from '../codegen/plan-module.ts'
export { findProjectFolder } from '../config/config-file.ts'
export { hashSettings, openProject, settingsFiles } from '../features/project/project.ts'
export { readPlan, startProject } from '../features/start/start.ts'
export { watchFiles } from '../fs/watch.ts'
export { analyseImporter, debugUse, importerKey } from './importers.ts'
export { createSnapshot } from './snapshot.ts'
export { checkUse } from './use-check.ts'
