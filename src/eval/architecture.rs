//! The architecture of the net: layer sizes and fixed-point scales.

/// The small boards and the big one.
pub(super) const BOARDS: usize = 10;
/// Units of the first layer.
pub(super) const UNITS: usize = 8;
/// Units of the second layer.
pub(super) const HIDDEN: usize = 16;
/// The fixed-point value of 1.0 in the first layer, where activations are clipped. Its square just
/// fits in an `i16`.
pub(super) const ONE: i16 = 181;

/// Right shift of weighted sums in the second layer: of all units of an image, and of each pair of
/// means.
pub(super) const PRODUCT_SHIFT: u32 = 16;
/// Right shift of the second layer's sums before activation, to the scale of [`ONE`].
pub(super) const HIDDEN_SHIFT: u32 = 3;
