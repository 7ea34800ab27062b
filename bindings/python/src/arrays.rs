//! Arrays of NumPy: what callers hand in, and those that other libraries share.

use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::running::refuse;

/// The alignment in bytes that JAX needs to share an array instead of copying it.
const ALIGNMENT: usize = 64;

/// An array of zeros that torch and JAX can share.
pub(crate) fn shared_zeros<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let size = shape.iter().product::<usize>() * size_of::<T>();
    let bytes = py.import("numpy")?.call_method1("zeros", (size + ALIGNMENT, "uint8"))?;
    let data = bytes.getattr("__array_interface__")?.get_item("data")?.get_item(0)?;
    let start = data.extract::<usize>()?.wrapping_neg() % ALIGNMENT;
    let slice = PySlice::new(py, start as isize, (start + size) as isize, 1);
    let array = bytes.get_item(slice)?.call_method1("view", (dtype::<T>(py),))?;
    Ok(array.call_method1("reshape", (shape,))?.cast_into()?)
}

/// The one-dimensional array with a number for each game that NumPy makes of an array of any library, or a
/// list; it is the same one if type and layout are right. `kinds` are the accepted ones of NumPy's types, and
/// `expected` names them.
pub(crate) fn read_array<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
    kinds: &str,
    expected: &str,
    count: usize,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let py = array.py();
    let numpy = py.import("numpy")?;
    let has = |method: &str| array.hasattr(method).unwrap_or(false);
    let uses_dlpack = has("__dlpack__") && !has("__array__");
    let converted =
        numpy.call_method1(if uses_dlpack { "from_dlpack" } else { "asarray" }, (array,));
    let refused = |found: &dyn std::fmt::Display| {
        PyTypeError::new_err(format!("{name}: {found}, expected {expected}"))
    };
    let converted = converted.map_err(|error| {
        let refused = refused(error.value(py));
        refused.set_cause(py, Some(error));
        refused
    })?;
    let untyped = converted.cast::<PyUntypedArray>()?;
    let kind = untyped.dtype().kind();
    if untyped.ndim() != 1 {
        let shape = untyped.shape();
        return Err(refuse(format_args!(
            "{name}: an array of shape {shape:?}, expected one dimension"
        )));
    }
    if untyped.len() != count {
        let found = untyped.len();
        return Err(refuse(format_args!(
            "{name}: {found} values, expected one for each of {count} games"
        )));
    }
    if !kinds.as_bytes().contains(&kind) {
        return Err(refused(&format_args!("an array of {}", untyped.dtype())));
    }
    Ok(numpy.call_method1("ascontiguousarray", (converted, dtype::<T>(py)))?.cast_into()?)
}
