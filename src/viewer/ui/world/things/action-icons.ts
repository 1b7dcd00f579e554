import { Eye, Grab, PackageOpen, Route } from 'lucide-react';

/** The icons of the actions on a thing, by `CardAction.icon`. */
export const ACTION_ICONS = { walk: Route, pick: Grab, place: PackageOpen, look: Eye } as const;
