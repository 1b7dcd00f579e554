/** The pages of the manual: the single source of its order, its index, its navigation, `llms.txt`, and the word budgets. */

export interface ManualPage {
  /** From the root of the repository. */
  file: string;
  /** Short, for lists of pages; the page itself has its own title. */
  name: string;
  /** The question that the page answers. */
  question: string;
  readers: string;
  /** The most words that the page may have, not counting code and generated parts. */
  maxWords: number;
}

export interface ManualPart {
  title: string;
  pages: readonly ManualPage[];
}

const page = (file: string, name: string, question: string, readers: string, maxWords: number): ManualPage => ({
  file,
  name,
  question,
  readers,
  maxWords,
});

/** Every hand-written page, in the order of the manual. */
export const MANUAL_PARTS: readonly ManualPart[] = [
  {
    title: 'Start',
    pages: [
      page('README.md', 'README', 'What is SimpleSim, and how do I see it run?', 'everyone', 720),
      page('docs/tutorial.md', 'Tutorial', 'How do I write my first agent?', 'agent authors, pupils', 1_100),
      page('docs/concepts.md', 'Concepts', 'How do the parts fit together, and what do the words mean?', 'everyone, once', 1_300),
      page('docs/troubleshooting.md', 'Troubleshooting', 'What do I do about this message?', 'everyone', 1_500),
    ],
  },
  {
    title: 'Use a robot',
    pages: [
      page('docs/viewer.md', 'The page', "How do I use the robot's page?", 'visitors, agent authors', 1_500),
      page(
        'docs/operators.md',
        'Operators',
        'How do I drive or watch a robot that runs elsewhere?',
        'operators, owners, teachers',
        1_700,
      ),
      page('docs/network.md', 'Phones and classes', 'How do phones, tablets and a class get in?', 'teachers, demos', 1_000),
    ],
  },
  {
    title: 'Write programs',
    pages: [
      page(
        'docs/libraries.md',
        'Libraries',
        'How does a program drive a robot, in TypeScript or Python?',
        'agent authors',
        2_500,
      ),
      page(
        'docs/cameras.md',
        'Cameras',
        'How does a program see, and get from a pixel to a place?',
        'agent authors, vision people',
        800,
      ),
      page(
        'docs/agents.md',
        'Agents',
        'How do I give a robot to the agent that I use, or to my own?',
        'users and authors of agents',
        1_400,
      ),
      page(
        'docs/physical-robot.md',
        'Physical robots',
        'What is different on a physical robot, and how do I stay safe?',
        'authors for physical robots',
        1_700,
      ),
      page(
        'docs/protocol.md',
        'Protocol',
        'How do I talk to a robot without a client library?',
        'authors in other languages',
        2_400,
      ),
      page(
        'docs/control-service.md',
        'Control service',
        'How do I manage robots, keys and links over HTTP?',
        'authors, integrators',
        1_400,
      ),
      page('docs/embedding.md', 'Embedding', 'How do I put a robot into my own page?', 'web developers', 1_000),
    ],
  },
  {
    title: 'Simulate and evaluate',
    pages: [
      page(
        'docs/headless.md',
        'Headless',
        'How do I run robots without a browser tab?',
        'CI, researchers, operators of a service',
        1_800,
      ),
      page('docs/scenes.md', 'Scenes and tasks', 'How do I write a scene and a task?', 'authors of content, teachers', 1_800),
      page(
        'docs/evaluate.md',
        'Evaluation',
        'How good is my agent, and is this result true?',
        'agent authors, CI, teachers',
        1_600,
      ),
    ],
  },
  {
    title: 'Run a platform',
    pages: [page('docs/deploy.md', 'Deployment', 'How do I run a platform for others?', 'operators of a service', 1_900)],
  },
  {
    title: 'Develop',
    pages: [
      page('docs/architecture.md', 'Architecture', 'How is the code built, and where do I change it?', 'contributors', 2_200),
      page('CONTRIBUTING.md', 'Contributing', 'How do I send a change?', 'contributors', 1_000),
    ],
  },
];

/** The folder of the pages that `npm run docs` generates. */
export const REFERENCE_DIR = 'docs/reference';

/** The pages of the reference, by the name of the file in its folder, in the order of the manual. */
export const REFERENCE: Readonly<Record<string, string>> = {
  'skills.md': 'every skill of the simulator: input, result, failures, an example',
  'agent-tools.md': 'every tool for agents (MCP): input, hints, a reply',
  'skills-physical.md': "every skill of the physical robot's contract",
  'errors.md': 'every error code of the robot and of the control service, and what to do',
  'methods.md': 'the methods, events and limits of the protocol',
  'http.md': 'each operation of the control service with a curl',
  'openapi.public.json': 'the operations of the service as OpenAPI 3.1; a running platform shows it at `/docs`',
  'openapi.library.json': 'the operations that the client libraries use',
  'libraries.md': 'every name of both client libraries, side by side',
  'typescript-api.txt': 'the declarations of the TypeScript library',
  'embed.md': 'attributes, methods, events and messages of the element `<simple-sim>`',
  'scene-file.md': 'every property of a scene file',
  'task-file.md': 'every property of a task file',
  'proof-file.md': 'every property of a proof file',
  'contracts.md': 'every difference between the simulator and a physical robot',
  'commands.md': 'every command with its options',
  'settings.md': 'every environment variable',
  'operations.md': 'health, metrics and log lines of the service',
  'measured.md': 'what is guaranteed, how it is tested and at which scale, and how fast the product is',
  'lab.md': 'the experiments: what each shows and how to run it',
  'dependencies.md': 'each library: its use, size and licence',
  'structure.md': 'the parts of the code, drawn from their imports',
};

/** The most words of all hand-written pages together. */
export const MAX_WORDS = 30_000;
/** The most hand-written pages. */
export const MAX_PAGES = 20;

/** The pages of the manual, without the parts. */
export const MANUAL_PAGES: readonly ManualPage[] = MANUAL_PARTS.flatMap(({ pages }) => pages);

/**
 * Returns the number of hand-written words of a page: outside of code fences, and outside of parts between
 * `<!-- NAME: made by npm run docs -->` and `<!-- end of NAME -->`.
 */
export function wordsIn(markdown: string): number {
  const written = markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!-- (\S+): made by npm run docs -->[\s\S]*?<!-- end of \1 -->/g, '');
  return written.split(/\s+/).filter((word) => word !== '').length;
}

/**
 * Returns a sentence for each page that exceeds its word budget, and for a manual with too many words or pages.
 * @param textOf returns the text of a page by its file
 */
export function budgetProblems(textOf: (file: string) => string): string[] {
  const counts = MANUAL_PAGES.map((page) => ({ ...page, words: wordsIn(textOf(page.file)) }));
  const total = counts.reduce((sum, { words }) => sum + words, 0);
  return [
    ...counts
      .filter(({ words, maxWords }) => words > maxWords)
      .map(
        ({ file, words, maxWords }) =>
          `${file} has ${words} words; its budget is ${maxWords} (scripts/docs/pages.ts). Shorten it, or link to the page that has the rest.`,
      ),
    ...(total > MAX_WORDS ? [`The manual has ${total} words; at most ${MAX_WORDS} are allowed.`] : []),
    ...(counts.length > MAX_PAGES ? [`The manual has ${counts.length} pages; at most ${MAX_PAGES} are allowed.`] : []),
  ];
}
