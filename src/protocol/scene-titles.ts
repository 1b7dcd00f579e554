// Made by `npm run docs` from the files in `scenes`; do not edit by hand.

/** Every scene of the product, and what people read of it when they choose one. It stands apart from the scenes, which the gate does not load. */
export const SCENES = {
  warehouse: {
    title: 'Warehouse',
    summary: 'A belt brings cubes, and a pallet waits for each colour.',
  },
  hall: {
    title: 'Hall',
    summary: 'Two tables, six cubes, and nothing that moves by itself.',
  },
} as const satisfies Readonly<Record<string, { title: string; summary: string }>>;
