/** Prints how many replies of the last `npm test` passed the client models. */
import { sentenceOf } from './check.ts';
import { readReports } from './reports.ts';

console.log(sentenceOf(readReports()));
