import { useEffect, useMemo } from 'react';
import { Raycaster, Vector2 } from 'three';
import type { ScenePlace } from '../../../../protocol/wire/place.ts';
import { useEngine } from '../../common/engine-context.ts';
import { useUiStore } from '../../common/ui-store.ts';
import { usePicture } from '../picture/picture.ts';
import { createPress } from '../view/press.ts';
import { fixedTargets, type Picked, pick } from './picking.ts';

/** Handles pointing: an object under the mouse is outlined, and a click or a tap opens its card. */
export function Picker({ layout }: { layout: ScenePlace }) {
  const { frames, store } = useEngine();
  const ui = useUiStore();
  const { shownEye, canvas } = usePicture().picture;
  const fixed = useMemo(() => fixedTargets(layout), [layout]);

  useEffect(() => {
    const raycaster = new Raycaster();
    const onScreen = new Vector2();
    const press = createPress();
    let pending: { x: number; y: number } | null = null;
    let handle = 0;

    const at = (clientX: number, clientY: number): Picked | null => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      onScreen.set(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
      raycaster.setFromCamera(onScreen, shownEye);
      const { origin, direction } = raycaster.ray;
      return pick({ origin: origin.toArray(), direction: direction.toArray() }, frames.latest(), layout, fixed);
    };
    const hover = (id: string | null) => {
      if (ui.getState().hoveredEntityId !== id) ui.setState({ hoveredEntityId: id });
      canvas.classList.toggle('over-entity', id !== null);
    };
    const lookUnderPointer = () => {
      handle = 0;
      if (!pending || store.getState().phase !== 'live') return;
      const picked = at(pending.x, pending.y);
      hover(picked?.kind === 'entity' ? picked.id : null);
    };
    const onMove = (event: PointerEvent) => {
      press.move(event);
      // A finger does not hover, and a person who turns the view is not pointing.
      if (event.pointerType === 'touch' || event.buttons !== 0) return;
      pending = { x: event.clientX, y: event.clientY };
      if (handle === 0) handle = requestAnimationFrame(lookUnderPointer);
    };
    const onLeave = () => {
      pending = null;
      hover(null);
    };
    const onDown = (event: PointerEvent) => press.down(event);
    const onCancel = (event: PointerEvent) => press.cancel(event);
    const onUp = (event: PointerEvent) => {
      if (!press.up(event) || store.getState().phase !== 'live') return;
      const picked = at(event.clientX, event.clientY);
      ui.setState({
        selectedEntityId: picked?.kind === 'entity' ? picked.id : null,
        pointedAt: picked?.kind === 'floor' ? picked.at : null,
      });
    };
    canvas.addEventListener('pointermove', onMove);
    canvas.addEventListener('pointerleave', onLeave);
    canvas.addEventListener('pointerdown', onDown);
    canvas.addEventListener('pointerup', onUp);
    canvas.addEventListener('pointercancel', onCancel);
    return () => {
      cancelAnimationFrame(handle);
      hover(null);
      canvas.removeEventListener('pointermove', onMove);
      canvas.removeEventListener('pointerleave', onLeave);
      canvas.removeEventListener('pointerdown', onDown);
      canvas.removeEventListener('pointerup', onUp);
      canvas.removeEventListener('pointercancel', onCancel);
    };
  }, [canvas, shownEye, frames, store, ui, layout, fixed]);
  return null;
}
