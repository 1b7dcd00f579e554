import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { EntityKind } from '../../../protocol/wire/entity-kind.ts';
import { useViewer } from '../common/engine-context.ts';
import { entityChoices } from './scene-choices.ts';

interface IdPickerProps {
  id: string;
  name: string;
  /** The kinds of entities that fit here. */
  kinds: readonly EntityKind[];
  value: string;
  onChange: (value: string) => void;
  'aria-invalid': boolean;
  'aria-describedby': string;
  'aria-required': boolean;
}

/**
 * A field for the id of an entity. It offers the entities of the scene, nearest first, with colour and place. Any other id may be
 * typed.
 */
export function IdPicker({ kinds, value, onChange, ...input }: IdPickerProps) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const [typed, setTyped] = useState(false);
  const choices = useViewer(({ scene }) => (open && scene ? entityChoices(scene, kinds) : NONE));
  // When opened without typing it offers everything, whatever the field contains.
  const shown = typed ? choices.filter((choice) => matches(choice.text, value)) : choices;
  const at = Math.min(marked, shown.length - 1);

  const take = (id: string) => {
    onChange(id);
    setOpen(false);
  };
  const openList = () => {
    setOpen(true);
    setTyped(false);
    setMarked(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return openList();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setMarked(shown.length === 0 ? 0 : (at + by + shown.length) % shown.length);
    } else if (event.key === 'Enter' && open && shown[at]) {
      event.preventDefault();
      take(shown[at].id);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <div className="picker">
      <input
        {...input}
        className="input"
        type="text"
        role="combobox"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && shown[at] ? `${listId}-${at}` : undefined}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setTyped(true);
          setMarked(event.target.value.trim() === '' ? -1 : 0);
        }}
        onClick={openList}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <ChevronDown size={16} aria-hidden className="picker-mark" />
      {open && (
        <div id={listId} ref={scrollToMarked} className="picker-list" role="listbox" aria-label="Entities of the scene">
          {shown.length === 0 && (
            <div className="picker-none" role="option" aria-selected={false} aria-disabled tabIndex={-1}>
              Nothing in the scene matches
            </div>
          )}
          {shown.map((choice, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which has the focus.
            <div
              key={choice.id}
              id={`${listId}-${i}`}
              className="picker-option columns"
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              ref={i === at ? scrollToMarked : undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(choice.id)}
            >
              <span className={`swatch swatch-${choice.kind}`} data-colour={choice.colour} aria-hidden />
              <span className="entity-id" translate="no">
                {choice.id}
              </span>
              <span className="picker-where cut small muted">{choice.where}</span>
              <span className="picker-distance">{choice.distance}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

const NONE: ReturnType<typeof entityChoices> = [];

const matches = (text: string, value: string): boolean => {
  const words = value.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
};

/** Scrolls the list, or the marked option, into view; nothing moves when it is visible. */
const scrollToMarked = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });
