import { Check, Home, Layers, LocateFixed, type LucideIcon, Map as MapIcon, Orbit, ScanFace } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import {
  choosingView,
  type OverlaySwitches,
  type QualityChoice,
  useUi,
  useUiStore,
  type ViewKind,
} from '../../common/ui-store.ts';
import { QUALITY_CHOICES, QUALITY_TEXTS, qualityText, storeQuality } from '../picture/quality.ts';
import type { Rendering } from '../picture/rendering.ts';

const VIEWS: readonly { view: ViewKind; label: string; key: string; icon: LucideIcon }[] = [
  { view: 'orbit', label: 'Around the robot', key: '1', icon: Orbit },
  { view: 'top', label: 'From above', key: '2', icon: MapIcon },
  { view: 'head', label: 'Out of the robot’s head', key: '3', icon: ScanFace },
];

const OVERLAYS: readonly { overlay: keyof OverlaySwitches; label: string }[] = [
  { overlay: 'path', label: 'Planned path' },
  { overlay: 'reach', label: 'Reach of the hands' },
  { overlay: 'frustum', label: 'What the head camera sees' },
  { overlay: 'labels', label: 'Names' },
];

interface ViewBarProps {
  rendering: Rendering;
  /** The level that the GPU was found to sustain. */
  learnedLevel: number;
  onReset: () => void;
}

/** The bar to choose the view and the overlays. */
export function ViewBar({ rendering, learnedLevel, onReset }: ViewBarProps) {
  const ui = useUiStore();
  const view = useUi((state) => state.view);
  const following = useUi((state) => state.following);
  // The menu opens inside this landmark, not at the end of the body.
  const [host, setHost] = useState<HTMLElement | null>(null);
  return (
    <>
      <fieldset className="view-bar row surface" aria-label="View">
        {VIEWS.map(({ view: kind, label, key, icon: Icon }) => (
          <button
            key={kind}
            type="button"
            className="view-button"
            aria-label={label}
            aria-pressed={view === kind}
            aria-keyshortcuts={key}
            title={`${label} (${key})`}
            onClick={() => ui.setState(choosingView(kind))}
          >
            <Icon size={17} aria-hidden />
          </button>
        ))}
        <span className="view-line" aria-hidden />
        <button
          type="button"
          className="view-button"
          aria-label="Follow the robot"
          aria-pressed={following}
          aria-keyshortcuts="F"
          title="Follow the robot (F)"
          disabled={view === 'head'}
          onClick={() => ui.setState({ following: !following })}
        >
          <LocateFixed size={17} aria-hidden />
        </button>
        <button
          type="button"
          className="view-button"
          aria-label="Reset view"
          aria-keyshortcuts="R Home"
          title="Reset view (R)"
          onClick={onReset}
        >
          <Home size={17} aria-hidden />
        </button>
        <ViewMenu rendering={rendering} learnedLevel={learnedLevel} host={host} />
      </fieldset>
      <div ref={setHost} />
    </>
  );
}

function ViewMenu({
  rendering,
  learnedLevel,
  host,
}: Pick<ViewBarProps, 'rendering' | 'learnedLevel'> & { host: HTMLElement | null }) {
  const ui = useUiStore();
  const overlays = useUi((state) => state.overlays);
  const quality = useUi((state) => state.quality);
  const choose = (value: string) => {
    const choice: QualityChoice = QUALITY_CHOICES.find((known) => known === value) ?? 'auto';
    ui.setState({ quality: choice });
    storeQuality(choice);
  };
  // The menu stays open after a choice, because people often change several things.
  const stay = (event: Event) => event.preventDefault();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="view-button" aria-label="What is drawn" title="What is drawn">
        <Layers size={17} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={host}>
        <DropdownMenu.Content className="menu view-menu" side="top" align="start" sideOffset={8} collisionPadding={8}>
          <DropdownMenu.Label className="menu-title small muted">Show in the world</DropdownMenu.Label>
          {OVERLAYS.map(({ overlay, label }) => (
            <DropdownMenu.CheckboxItem
              key={overlay}
              className="menu-item"
              checked={overlays[overlay]}
              onSelect={stay}
              onCheckedChange={(checked) => ui.setState({ overlays: { ...overlays, [overlay]: checked } })}
            >
              <Mark />
              {label}
            </DropdownMenu.CheckboxItem>
          ))}
          <p className="menu-note small muted">Only people see these; the robot’s cameras do not.</p>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Label className="menu-title small muted">Quality</DropdownMenu.Label>
          <DropdownMenu.RadioGroup className="view-qualities" value={quality} onValueChange={choose}>
            {QUALITY_CHOICES.map((choice) => (
              <DropdownMenu.RadioItem key={choice} className="view-quality" value={choice} onSelect={stay}>
                {QUALITY_TEXTS[choice]}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <p className="menu-note small muted">{qualityText(quality, rendering, learnedLevel)}</p>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Mark() {
  return (
    <span className="menu-mark">
      <DropdownMenu.ItemIndicator asChild>
        <Check size={14} aria-hidden />
      </DropdownMenu.ItemIndicator>
    </span>
  );
}
