/** The worker of {@link findImpactInThread}: a type check of an app may take seconds. */
import { parentPort, workerData } from 'node:worker_threads'
import { findImpact, type ImpactRequest } from './impact.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(await findImpact(workerData as ImpactRequest))
